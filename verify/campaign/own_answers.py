"""Run the checks in a user's file in a child process, which sends outcomes and the claim's description as JSON."""

import json
import sys
import time
from dataclasses import replace
from pathlib import Path

from fedigw import outside
from fedigw.record import canonical
from verify import guard, own_claims
from verify.campaign.outcome import failed, outcome_json, outcome_of
from verify.campaign.units import Finished, Settings, Unit, run_timed

LONGEST = 16 << 20  # characters of an answer


def carried_out(settings: Settings, unit: Unit, own: own_claims.Own, seconds: int) -> Finished:
    """Run the check `unit` of the user's claim `own` in a child process with `seconds` of CPU time. If the child fails,
    the check counts as failed."""
    start = time.perf_counter()
    check = next(check for check in own.claim.checks if check.name == unit[1])
    try:
        if outside.digest(Path(own.file)) != own.digest:
            raise guard.Ended(f"{own.file} has changed since the campaign began")
        words = (own.file, *unit, settings.profile, str(settings.seed))
        found = outcome_of(json.loads(guard.ask((*own_claims.PROGRAM, *words), own.file, seconds)[0]))
        if (found.claim, found.check, found.variant) != (*unit, check.variant):
            raise ValueError(f"it is about {found.claim!r:.60}")
        if found.failure is None:
            evidence, control = found.evidence, found.control
            evidence, control = (own_claims.received(e, check.statistical) for e in (evidence, control))
            found = replace(found, evidence=evidence, control=control)
        return Finished(found, time.perf_counter() - start)
    except (guard.Ended, own_claims.BadFile, OSError) as error:
        reason = str(error)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        reason = f"{own.file}: its process gave no finding ({said})"
    return Finished(failed(*unit, check.variant, reason), 0.0)


def serve() -> None:
    """Run in a child process: describe the claim in a file (command-line argument FILE), or run one of its checks
    (arguments FILE LABEL CHECK PROFILE SEED)."""
    guard.become_child()
    file, *request = sys.argv[1:]
    if request:
        label, check, profile, seed = request
        settings = Settings(profile, int(seed), files=(file,))
        text = canonical(outcome_json(run_timed(settings, (label, check)).outcome))
    else:
        text = own_claims.description(file)
    if len(text) > LONGEST:
        raise SystemExit(f"{file}: an answer of over {LONGEST} letters")
    guard.finish(0, text)  # not by sys.stdout, which a user's file may have set
