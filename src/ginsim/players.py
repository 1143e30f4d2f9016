"""Strategies written in Python: a class with a method for each decision.

>>> import ginsim
>>> class Careful(ginsim.PythonStrategy):
...     version = "1"
...
...     def knock(self, view):
...         return view.deadwood <= (10 if view.turn <= 4 else 3)
>>> frame = ginsim.simulate("kawu", (Careful(), "greedy"), 100, seed=1)
>>> frame.attrs["provenance"]["strategies"]["south"]["version"]
'1'
"""

from __future__ import annotations

from typing import Any, ClassVar

from ginsim._player import IllegalAnswer, Player, View
from ginsim.errors import StrategyError, refuse
from ginsim.strategies import Strategy, parse_strategy

__all__ = ["IllegalAnswer", "PythonStrategy", "View"]


class PythonStrategy(Player):
    """Base of a strategy of one's own. An instance is taken wherever a strategy is.

    Override what it should decide: `take_upcard`, `draw_from_pile`, `declare_big_gin` answer
    true or false; `knock` true, false or the card to knock with; `discard` the card to throw.
    Each gets a `View`. Cards are numbers 0 to 51 or names. What is not overridden is as `base`
    plays, and so are spreads and layoffs.

    Chance belongs to `view.random()` and `view.pick(n)`, so that a hand depends on its seed and
    index; for the same reason nothing should be remembered from hand to hand. Such hands are
    played in one thread.

    Attributes:
        version: what to say in provenance; to be changed with the play.
        base: a strategy by rules, without a search.
        name: how it is called; the class's name if not given.
    """

    version: ClassVar[str]
    base: ClassVar[str | Strategy] = "greedy"
    name: str

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "name" not in cls.__dict__:
            cls.name = cls.__name__

    #: It makes no play-outs by the compiled search.
    rollouts: ClassVar[int] = 0
    #: What it looks at is not known.
    reads_points: ClassVar[tuple[str, ...]] = ("its own code",)

    def check(self) -> PythonStrategy:
        """Itself.

        Raises:
            StrategyError: without a version, or with a base that is none.
        """
        version = getattr(type(self), "version", None)
        if not isinstance(version, str) or not version:
            raise StrategyError(
                f"{self.name}: " + refuse("version", version, "a text in the class, such as '1'")
            )
        base = parse_strategy(self.base)
        if not isinstance(base, Strategy) or base.rollouts:
            raise StrategyError(
                f"{self.name}: " + refuse("base", self.base, "a strategy by rules, such as greedy")
            )
        return self

    def model_dump(self) -> dict[str, Any]:
        """What provenance says of it."""
        return {
            "name": self.name,
            "python": f"{type(self).__module__}.{type(self).__qualname__}",
            "version": self.version,
            "base": parse_strategy(self.base).model_dump(),
        }
