"""Learn by SCAFFOLD (Karimireddy et al. 2020): control variates remove the bias of local steps if agents differ.

With option 1 an agent's control variate is its gradient at the server's point. With option 2 it is computed from the
move of the local steps. If all agents take part in every round, option 2 need not send the variates, because their mean
follows from the server's points, which all agents know.
"""

from dataclasses import dataclass
from typing import ClassVar

from bounds.errors import InputError
from fedigw.local_steps import NOT_WHOLE, Constants, LocalMethod, Rate


@dataclass(frozen=True)
class Scaffold(LocalMethod):
    """SCAFFOLD: local steps corrected by control variates. option: 1 or 2, how the variates are updated. kept: whether
    the variates are used again in later epochs. send_control: whether variates are sent; by default only if necessary
    (option 1, or not all agents take part in every round)."""

    option: int = 2
    kept: bool = False
    send_control: bool | None = None
    name: ClassVar[str] = "scaffold"
    needs: ClassVar[tuple[str, ...]] = ("local_gradients",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.option not in (1, 2):
            raise InputError("option", self.option, "must be 1 or 2")
        if self.send_control is False and self._must_send:
            said = "is possible with option 2 and all agents in every round only"
            raise InputError("send_control", False, said)

    @property
    def row(self) -> str | None:
        return self.named("scaffold") if self.option == 2 and not self.kept else None

    @property
    def theorem(self) -> str:
        return "lem:SCAFFOLD_complete"

    @property
    def surely(self) -> bool:
        return True

    def rate(self, constants: Constants) -> Rate:
        from bounds import local_steps as theorem

        if not self.whole:
            return Rate(None, None, (NOT_WHOLE,))
        method = theorem.SCAFFOLD_FIRST if self.option == 1 else theorem.SCAFFOLD
        return self.theorem_rate(method, "lem:SCAFFOLD_complete", constants)

    @property
    def _must_send(self) -> bool:
        # variates of earlier calls follow from the last points, unless these are averaged
        hidden = self.kept and self.average
        return self.option == 1 or self.participants is not None or hidden

    @property
    def variates(self) -> int:
        return self.option

    @property
    def sends_variates(self) -> bool:
        return self._must_send if self.send_control is None else self.send_control

    @property
    def keeps_variates(self) -> bool:
        return self.kept
