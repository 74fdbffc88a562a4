"""Find extensions: each topic is a folder of the package fedigw_extensions, which the core does not import."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

EXTENSIONS = "fedigw_extensions"


@cache
def topics() -> dict[str, Path]:
    found = find_spec(EXTENSIONS)
    places = (found.submodule_search_locations or ()) if found else ()
    folders = [folder for place in places for folder in Path(place).iterdir()]
    return {folder.name: folder for folder in sorted(folders) if (folder / "__init__.py").is_file()}


def packages(core: str, name: str = "") -> tuple[str, ...]:
    """Return the names of a core package and of the packages of extensions that have the same role. Example:
    "fedigw.policies" gives fedigw.policies and <topic>.policies of each extension <topic> that has one. For
    protocols and environments the extension's folder begins with the kind of world: linear.protocols and
    <topic>.linear_protocols. `name`: name of the extensions' packages, if it differs."""
    home, _, rest = core.partition(".")
    called = name or (rest if home in ("fedigw", "verify", "bounds") else core).replace(".", "_")
    added = [topic for topic, folder in topics().items() if (folder / called).is_dir()]
    own = [core] if find_spec(core) else []
    return (*own, *(f"{EXTENSIONS}.{topic}.{called}" for topic in added))
