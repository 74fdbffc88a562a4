"""Check the parts of a federation, the package's or a user's own: policies, encoders, aggregators, attacks, clocks,
losses, probability laws, environments and protocols.

Each check returns the faults as sentences; an empty list is a pass. The project's tests run the checks on every part
that they find.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np

from bounds.errors import InputError
from fedigw import outside
from fedigw.building import build
from fedigw.channel import Channel
from fedigw.discovery import modules
from fedigw.federation import Federation, keys_of
from fedigw.instance_file import probabilities
from fedigw.interfaces import (
    Aggregator,
    Attack,
    Clock,
    ContextLaw,
    Encoder,
    FLProtocol,
    Loss,
    PerAgent,
    Policy,
    RewardLaw,
)
from fedigw.kind import Kind
from fedigw.ledger import COUNTERS, Traffic
from fedigw.network import Network
from fedigw.parts import suits
from fedigw.rates import ConstantRate
from fedigw.running import Messages, audited, carry_out, pools

ROUNDING = 1e-9  # sums of a few dozen numbers of order one


def check_policy(policy: Policy) -> list[str]:
    """Return the faults of a policy, as sentences. The probabilities of each context must be non-negative, sum to 1 and
    not depend on other contexts. If it declares `rational`, Fractions must give Fractions that sum to 1."""
    found: list[str] = []
    rng = np.random.default_rng(0)
    scores, widths = rng.random((3, 4, 5)), rng.random((3, 4, 5))
    for rate in (0.0, 1.0, 50.0):
        whole = policy.probabilities(scores.copy(), rate, widths)
        if np.shape(whole) != scores.shape:
            return [f"probabilities have shape {np.shape(whole)} for scores {scores.shape}"]
        if not np.isfinite(whole).all() or (whole < 0).any():
            found.append(f"rate {rate:g}: a probability is negative or not finite")
        if np.abs(whole.sum(axis=-1) - 1).max() > ROUNDING:
            found.append(f"rate {rate:g}: probabilities do not sum to 1")
        alone = policy.probabilities(scores[1, 2].copy(), rate, widths[1, 2])
        if not np.allclose(alone, whole[1, 2], atol=ROUNDING):
            found.append(f"rate {rate:g}: a row depends on the other rows")
    if policy.rational and not policy.needs:
        row = np.array([Fraction(1, 2), Fraction(1, 3), Fraction(1)], dtype=object)
        exact = policy.probabilities(row, Fraction(7))
        if not all(isinstance(p, (Fraction, int)) for p in exact) or sum(exact) != 1:
            found.append("is called rational, but Fractions do not give Fractions that sum to 1")
    return found


def check_encoder(encoder: Encoder) -> list[str]:
    """Return the faults of an encoder, as sentences. Messages must arrive as finite numbers in the same shape, and
    their bits must be counted. If the encoder declares `lossless`, their sum must be preserved up to rounding."""
    messages = np.random.default_rng(0).standard_normal((4, 6))
    sent = messages.copy()
    received = encoder.encode(sent, np.random.default_rng(1))
    again = encoder.encode(messages.copy(), np.random.default_rng(1))
    found: list[str] = []
    if np.shape(received) != messages.shape:
        return [f"messages of shape {messages.shape} arrive as {np.shape(received)}"]
    if not encoder.hides and not np.isfinite(received).all():
        found.append("a finite message arrives as NaN or infinity")
    if not np.array_equal(sent, messages):
        found.append("changes the messages in place")
    if not np.array_equal(received, again):
        found.append("the same generator gives another result")
    bits = encoder.bits(messages)
    if not (isinstance(bits, int) and bits > 0):
        found.append(f"bits are {bits!r}, must be a positive integer")
    summed = encoder.total(received)
    if encoder.lossless and np.abs(summed - messages.sum(axis=0)).max() > ROUNDING:
        found.append("is called lossless, but the sum does not arrive")
    return found


def check_aggregator(aggregator: Aggregator) -> list[str]:
    """Return the faults of an aggregator, as sentences. Equal messages must give that message, and the order of
    messages must not matter. If the aggregator declares `exact`, it must give the weighted mean and the sum."""
    found: list[str] = []
    rng = np.random.default_rng(0)
    messages, weights = rng.standard_normal((5, 3)), np.full(5, 0.2)
    same = np.tile(messages[:1], (5, 1))
    if np.shape(aggregator.combine(messages, weights)) != (3,):
        return ["combine must give one message's shape"]
    if not np.allclose(aggregator.combine(same, weights), messages[0], atol=ROUNDING):
        found.append("five equal messages are not combined to that message")
    if not np.allclose(aggregator.total(same, None), 5 * messages[0], atol=ROUNDING):
        found.append("the total of five equal messages is not five times that message")
    own = rng.standard_normal(3)
    if not np.allclose(aggregator.total(same, own) - own, 5 * messages[0], atol=ROUNDING):
        found.append("the server's own message is not added to the total")
    turned = rng.permutation(5)
    if not np.allclose(
        aggregator.combine(messages[turned], weights), aggregator.combine(messages, weights), atol=1e-7
    ):
        found.append("the order of the messages matters")
    if aggregator.exact:
        uneven = np.array([0.1, 0.2, 0.3, 0.25, 0.15])
        if not np.allclose(aggregator.combine(messages, uneven), uneven @ messages, atol=ROUNDING):
            found.append("is called exact, but combine is not the weighted mean")
        if not np.allclose(aggregator.total(messages, None), messages.sum(axis=0), atol=ROUNDING):
            found.append("is called exact, but total is not the sum")
    return found + check_constant(aggregator)


def check_constant(aggregator: Aggregator) -> list[str]:
    """Return, as sentences, why the constant that a robust aggregator claims is wrong. The squared distance of its
    result from the mean of the honest messages must be at most the constant times their variance. The check uses honest
    messages drawn at random or in two clusters, and random lies."""
    found: list[str] = []
    rng = np.random.default_rng(0)
    if aggregator.reference and aggregator.constant(5, 1) is not None:
        found.append("is called a reference, but claims a constant")
    for agents, lying in ((4, 1), (5, 1), (5, 2), (8, 3)):
        constant = aggregator.constant(agents, lying)
        for trial in range(0 if constant is None else 60):
            honest = rng.standard_normal((agents - lying, 2))
            if trial % 2:  # two camps, as in the worst cases
                honest = np.repeat(np.eye(2), [trial // 2 % (agents - lying), agents - lying], axis=0)
                honest = honest[: agents - lying]
            lies = np.tile(10.0 ** rng.integers(0, 5) * rng.standard_normal(2), (lying, 1))
            centre = honest.mean(axis=0)
            variance = float(((honest - centre) ** 2).sum(axis=1).mean())
            combined = aggregator.combine(np.concatenate([honest, lies]), np.full(agents, 1 / agents))
            if float(((combined - centre) ** 2).sum()) > float(constant or 0) * variance + 1e-7:
                claimed = float(constant or 0)
                found.append(f"{lying} of {agents} lying move it further than its constant {claimed:g}")
                break
    return found


def check_attack(attack: Attack) -> list[str]:
    """Return the faults of an attack, as sentences. It may change only the messages of lying agents, these must stay
    finite, and it must draw random numbers from the given generator only."""
    messages = np.random.default_rng(0).standard_normal((5, 3))
    found: list[str] = []
    for liars in ((1, 4), (0, 1, 2, 3, 4)):
        bad, kept = np.isin(np.arange(5), liars), messages.copy()
        sent = [attack.corrupt(kept, bad, np.random.default_rng(1)) for _ in range(2)]
        if np.shape(sent[0]) != messages.shape:
            return [f"messages of shape {messages.shape} leave as {np.shape(sent[0])}"]
        if not np.isfinite(sent[0]).all():
            found.append("a finite message leaves as NaN or infinity")
        if not np.array_equal(sent[0][~bad], messages[~bad]):
            found.append("an honest message is changed")
        if not np.array_equal(kept, messages):
            found.append("changes the messages in place")
        if not np.array_equal(sent[0], sent[1]):
            found.append("the same generator gives another result")
        if np.array_equal(sent[0][bad], messages[bad]) and not attack.falsifies:
            found.append("the lying agents tell the truth")
    return list(dict.fromkeys(found))


def check_clock(clock: Clock) -> list[str]:
    """Return the faults of a clock, as sentences. Its count of steps must be 0 at time 0 and grow by 0 or 1 per time
    unit."""
    counts = [clock.count(t) for t in range(200)]
    found: list[str] = []
    if not all(isinstance(count, int) for count in counts):
        return ["count(t) must be an integer"]
    if counts[0] != 0:
        found.append(f"count(0) is {counts[0]}, must be 0")
    steps = np.diff(counts)
    if (steps < 0).any():
        found.append("goes back: count(t) decreases")
    if (steps > 1).any():
        found.append("ticks twice at one time")
    return found


@np.errstate(all="ignore")  # numbers that are not finite are reported as such
def check_loss(loss: Loss) -> list[str]:
    """Return the faults of a loss, as sentences. It must be convex in the score and have correct derivatives; its link
    function must be increasing, and constant beyond the radius unless the loss is quadratic."""
    least, largest = loss.curvatures
    if not 0 <= least <= largest < np.inf or not largest > 0:
        return [f"curvatures are {least:g} and {largest:g}, must be 0 <= least <= largest < infinity"]
    if not 0 < loss.radius < np.inf:
        return [f"radius is {loss.radius:g}, must be a positive number"]
    z = np.linspace(-4, 4, 401) * loss.radius
    for reward in (0.0, 0.5, 1.0):
        r = np.full(len(z), reward)
        value, slope, bend = loss.value(z, r), loss.slope(z, r), loss.bend(z, r)
        for name, found in (("value", value), ("slope", slope), ("bend", bend), ("link", loss.link(z))):
            if np.shape(found) != z.shape or not np.isfinite(found).all():
                return [f"{name} must give finite numbers of the shape of the scores"]
        secant = np.diff(slope) / np.diff(z)
        for seen, at in ((secant, z[1:]), (bend, z)):
            if (seen < -ROUNDING).any():
                i = int(np.argmin(seen))
                return [f"is not convex: its second derivative is {seen[i]:.6g} at score {at[i]:.6g}"]
            outside = np.maximum(least - seen, seen - largest)
            if (outside > 1e-6 * largest).any():
                i = int(np.argmax(outside))
                said = f"its second derivative is {seen[i]:.6g} at score {at[i]:.6g}, reward {reward:g}"
                return [f"{said}, outside its curvatures {least:g} to {largest:g}"]
        # a convex function rises by between what its slopes at both ends say
        rise, step = np.diff(value), np.diff(z)
        if ((rise < slope[:-1] * step - ROUNDING) | (rise > slope[1:] * step + ROUNDING)).any():
            return ["its slope is not the derivative of its value"]
    inside = loss.link(np.linspace(-1, 1, 101) * loss.radius)
    for found, wrong in ((np.diff(inside), np.diff(inside) <= 0), (d := np.diff(loss.link(z)), d < 0)):
        if wrong.any():
            return [
                f"its link is not increasing: it changes by {found[np.argmax(wrong)]:.6g} as the score rises"
            ]
    for side in (-1.0, 1.0):
        near, far = loss.link(np.array([1.0, 4.0]) * side * loss.radius)
        if not loss.quadratic and abs(far - near) > ROUNDING:
            said = f"its link goes on from {near:.6g} at the radius {loss.radius:g} to {far:.6g} beyond"
            return [f"{said}: cut the scores there, by np.clip"]
    return []


def check_reward_law(law: RewardLaw) -> list[str]:
    """Return the faults of a law of rewards, as sentences. Values must lie in [0,1], their probabilities must sum to 1,
    and their mean must be the given one (exactly, for Fractions)."""
    for exact in (True, False):
        means = np.array([Fraction(k, 12) for k in range(13)], dtype=object if exact else float)
        values, chances = (np.asarray(found) for found in law.points(means))
        if values.shape != chances.shape or values.shape[:1] != means.shape or values.ndim != 2:
            return [f"points of 13 means have shapes {values.shape} and {chances.shape}, must be (13, J)"]
        rational = all(isinstance(v, (int, Fraction)) for v in (*values.ravel(), *chances.ravel()))
        if exact and not rational:
            return ["its points are not rational where means are: write Fraction(1, 2), or 1 / 2 of a mean"]
        slack = 0 if exact else ROUNDING
        for mean, reward, chance in zip(means, values, chances, strict=True):
            if min(reward) < -slack or max(reward) > 1 + slack:
                return [f"at mean {mean} it has the reward {min(reward) if min(reward) < 0 else max(reward)}"]
            if min(chance) < 0 or abs(sum(chance) - 1) > slack:
                return [f"at mean {mean} its probabilities are {', '.join(map(str, chance))}"]
            if abs((found := sum(reward * chance)) - mean) > slack:
                return [f"at mean {mean} its rewards have the mean {found}"]
    return []


def check_context_law(law: ContextLaw) -> list[str]:
    """Return the faults of a law of contexts, as sentences. Its probabilities must sum to 1 exactly; its features must
    lie in the unit ball and be drawn from the given generator only."""
    found: list[str] = []
    own = {name for name in ("chances", "draw") if getattr(type(law), name) is not getattr(ContextLaw, name)}
    if not own:
        return ["overrides neither chances nor draw"]
    for size in (1, 2, 7) if "chances" in own else ():
        try:
            probabilities([str(p) for p in law.chances(size)], "contexts", size)
        except InputError as error:
            found.append(f"of {size} contexts: {error}")
    if "draw" in own:
        drawn = [np.asarray(law.draw(50, 3, 2, np.random.default_rng(seed))) for seed in (1, 1, 2)]
        if drawn[0].shape != (50, 3, 2):
            return [*found, f"draws features of shape {drawn[0].shape} for 50 steps, 3 arms, 2 coordinates"]
        if not np.array_equal(drawn[0], drawn[1]):
            found.append("the same generator gives another result")
        if not np.linalg.norm(drawn, axis=-1).max() <= 1 + 1e-6:
            found.append(
                f"draws a feature of norm {np.linalg.norm(drawn, axis=-1).max():.6g}, must be at most 1"
            )
    return found


def check_environment(module: ModuleType, kind: Kind) -> list[str]:
    """Return the faults of an environment, as sentences. The federations that its function `make` returns for its
    EXAMPLES must depend on the seed only, equal those read from their instance files, and run."""
    found: list[str] = []
    for example in module.EXAMPLES:
        made = module.make(np.random.default_rng(0), **example)
        if not isinstance(made, Federation):
            return [f"make must return a Federation, gave {type(made).__name__}"]
        if made != module.make(np.random.default_rng(0), **example):
            found.append(f"{example}: the generator's seed does not decide everything")
        if build(made.describe(), kind) != made:
            found.append(f"{example}: describe() is not an instance file of the same federation")
        name = outside.name_of(module)
        table = {"kind": kind.name, "environment": {"name": name, "seed": 0} | dict(example)}
        if build(table, kind) != made:
            found.append(f"{example}: an instance file that names the environment gives another federation")
        regret = carry_out(made, Messages(made, np.random.default_rng(1))).regret
        if not (np.isfinite(regret).all() and (regret >= -ROUNDING).all()):
            found.append(f"{example}: regret is negative or not finite")
    return found


class Blackout(Channel):
    """A channel that delivers zeros in place of every agent's message. With it a protocol must learn nothing from the
    data; this tests that it uses data only through messages."""

    def gather(self, field: str, messages: Any, shape: tuple[int, ...], packed: Any = None) -> np.ndarray:
        return super().gather(field, 0 * np.asarray(messages), shape, packed)

    def _mixed(self, sent: np.ndarray, network: Network, times: int) -> np.ndarray:
        kept = np.diag(network.weights) ** times
        return np.asarray(kept.reshape(-1, *([1] * (sent.ndim - 1))) * sent)


def check_protocol(protocol: FLProtocol, kind: Kind) -> list[str]:
    """Return the faults of a protocol, as sentences. It must learn only through the channel, send what it declares, and
    deliver the accuracy that it promises. kind: the kind of world on which it is tried."""
    found: list[str] = []
    fitting = 0
    for name, made in _fitting(protocol, kind):
        fitting += 1
        federation = replace(made, protocol=protocol)
        if federation.guarantee() is None:
            federation = federation.with_rates(10)
        found += [f"{name}: {problem}" for problem in _one_call(federation)]
    if not fitting:
        found.append(f"no {kind.name} model offers what it needs: {', '.join(protocol.needs)}")
    table = keys_of(protocol)
    if not all(isinstance(v, (int, float, str, bool, tuple, type(None))) for v in table.values()):
        found.append("its fields are not values that an instance file can hold")
    return list(dict.fromkeys(found))


def _fitting(protocol: FLProtocol, kind: Kind) -> Iterator[tuple[str, Federation]]:
    for name, module in modules(kind.environments, ("make", "EXAMPLES")).items():
        for example in module.EXAMPLES:
            made = module.make(np.random.default_rng(0), **example)
            if suits(protocol, made.model):
                yield name, made


REACHED = 1e-9  # a gap that counts as none: losses are of order 1
MOST_ROUNDS = 5000  # that a protocol may have to reach the minimiser


def convergence(protocol: FLProtocol, kind: Kind) -> str:
    """Return a sentence that says whether a call of the protocol reaches the minimum of the objective. All environments
    of `kind` are tried; the sentence is about the environment where the protocol ends farthest above the minimum. If
    the protocol has a field `rounds`, copies with 4, 16, ... times as many rounds are tried while that helps."""
    worst: tuple[float, int] | None = None
    for _, made in _fitting(protocol, kind):
        found = _nearest(replace(made, protocol=protocol, rates=ConstantRate(10.0)))
        worst = found if worst is None else max(worst, found)
    if worst is None:
        return "no environment to try it in"
    gap, rounds = worst
    if np.isnan(gap):
        return "the minimiser is not known"
    reaches = "reaches" if gap <= REACHED else "does NOT reach"
    return f"{reaches} the minimiser: gap {gap:.3g} after {rounds} rounds"


def _nearest(federation: Federation) -> tuple[float, int]:
    datasets, best = _data(federation, 1), None
    problem = federation.model.problem(datasets, 1)
    while True:
        learned, traffic = _called(federation, datasets)
        found = float(np.max(problem.gap(learned))), traffic.rounds
        if best is not None and found[0] > 0.9 * best[0]:
            return best
        best, table = found, keys_of(federation.protocol)
        if found[0] <= REACHED or "rounds" not in table or 4 * table["rounds"] > MOST_ROUNDS:
            return best
        more = replace(federation.protocol, rounds=4 * table["rounds"])  # type: ignore[type-var]
        federation = replace(federation, protocol=more)


def _one_call(federation: Federation) -> list[str]:
    datasets, others = (_data(federation, seed) for seed in (1, 2))
    problem = federation.model.problem(datasets, 1)
    learned, traffic = _called(federation, datasets)
    found = []
    if not _alike(learned, _called(federation, datasets)[0]):
        found.append("the same data and generator give another result")
    dark = [_called(federation, data, Blackout)[0] for data in (datasets, others)]
    if isinstance(learned, PerAgent):
        # an agent may use its own data at home; so only the first agent's are changed, and the others are compared
        changed = [others[0], *datasets[1:]]
        if len(datasets) > 1 and not _alike(dark[0][1:], _called(federation, changed, Blackout)[0][1:]):
            found.append("an agent's model depends on another's data that never went through the channel")
    elif not _alike(dark[0], dark[1]):
        found.append("the result depends on data that never went through the channel")
    found += _ledger(federation, problem.samples, traffic)
    promised = federation.guarantee()
    if promised is not None:
        for promise in audited(federation, problem, learned, 1):
            if not promise.kept:
                found.append(
                    f"VIOLATED: promised distance {promise.promised:.3g}, delivered {promise.delivered:.3g}"
                )
        if not all(promised.risk(v, 64) >= promised.risk(v, 128) >= 0 for v in promised.variants):
            found.append("the promised excess risk grows with the samples, or is negative")
    elif pools(federation):
        found.append("has an array form but no guarantee that declares its cost")
    return found


def ledger_problems(federation: Federation) -> list[str]:
    """Make one call of the federation's protocol, and return, as sentences, where the counts of what it sends differ
    from what it declares. Bits are not compared, because they depend on the encoder."""
    datasets = _data(federation, 1)
    samples = federation.model.problem(datasets, 1).samples
    return _ledger(federation, samples, _called(federation, datasets)[1], bits=False)


def _ledger(federation: Federation, samples: int, sent: Traffic, bits: bool = True) -> list[str]:
    adaptive = federation.protocol.adaptive
    least = 0 if adaptive else 1  # data may be such that there is nothing to iterate
    found = []
    promised = federation.guarantee()
    alone = promised is not None and promised.cost(samples).numbers == 0
    silent = sent.rounds < least or sent.numbers_up < 1 or sent.numbers_down < 1
    if sent.calls != 1 or (silent and not alone):  # some declare that nothing is sent
        found.append(f"a call must have rounds and messages both ways, sent {sent}")
    if promised is None:
        return found
    cost = promised.cost(samples)
    for counter in COUNTERS:
        counted, declared = vars(sent)[counter], vars(cost)[counter]
        wrong = counted > declared or (counted < declared and not adaptive)
        if wrong and (bits or not counter.startswith("bits")):
            found.append(f"{counter}: sent {counted}, declared {declared}")
    return found


def _data(federation: Federation, seed: int) -> list[Any]:
    runner = Messages(federation, np.random.default_rng(seed))
    return list(runner.play(runner.initial(), 1.0, federation.plan.segments[0]).data)


def _called(
    federation: Federation, datasets: Sequence[Any], through: type[Channel] = Channel
) -> tuple[Any, Traffic]:
    channel = through(len(datasets), 1, federation.link, np.random.default_rng(3))
    problem = federation.model.problem(datasets, 1)
    fitted = federation.protocol.fit(problem, channel, None, np.random.default_rng(3))
    return fitted.parameters, channel.traffic


def _alike(one: Any, other: Any) -> bool:
    if isinstance(one, tuple):
        return len(one) == len(other) and all(_alike(a, b) for a, b in zip(one, other, strict=True))
    return bool(np.array_equal(np.asarray(one, dtype=float), np.asarray(other, dtype=float)))
