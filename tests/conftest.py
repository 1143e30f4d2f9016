"""Settings of the whole suite."""

from hypothesis import settings

# A busy machine may stop for longer than Hypothesis allows an example by default. All else stays
# as the profile has it that is in force, such as Hypothesis's own for CI.
settings.register_profile("ginsim", parent=settings(), deadline=None)
settings.load_profile("ginsim")
