"""What a rule does to the game: sweeps over fields, values at which ways of playing are equal.

docs/balance.md says what is measured, and under which assumptions about the players.
"""
