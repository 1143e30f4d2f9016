"""The manifest of a folder: the study in full, its hash, the versions it was begun with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ginsim import _deck
from ginsim._version import __version__
from ginsim.errors import StudyError, join_words, show
from ginsim.studies.data import Study, hash_document
from ginsim.studies.taskfiles import LAYOUT


def make_manifest(study: Study) -> dict[str, Any]:
    """What a folder says of its study."""
    packages = ["numpy", "pandas", *(["pyarrow"] if study.format == "parquet" else [])]
    return {
        "format": LAYOUT,
        "study": study.hash,
        "ginsim": __version__,
        "stream": _deck.STREAM_VERSION,
        "packages": {name: _find_version(name) for name in packages},
        "document": study.document,
    }


def _find_version(name: str) -> str:
    with suppress(PackageNotFoundError):
        return version(name)
    return "unknown"


class OtherLayout(StudyError):
    """A manifest that is not damaged and still cannot be used."""


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a folder.

    Raises:
        StudyError: if there is none, it is damaged, or of another layout.
    """
    path = folder / "manifest.json"
    anew = "allowed: to resume with the study file, which writes it anew"
    try:
        manifest = json.loads(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        raise StudyError(
            f"{show(str(folder))} is no folder of a study: it has no manifest.json; allowed: a "
            "folder that `ginsim study run` made; if it was lost, to resume with the study file, "
            "which writes it anew"
        ) from None
    except OSError as failure:
        raise OtherLayout(
            f"{show(str(path))} cannot be read: {failure.strerror}; allowed: a file"
        ) from None
    except (ValueError, RecursionError):
        raise StudyError(f"{show(str(path))} is damaged; {anew}") from None
    kinds = {"format": int, "study": str, "ginsim": str, "stream": int, "document": dict}
    if not isinstance(manifest, dict) or not all(
        isinstance(manifest.get(key), kind) for key, kind in kinds.items()
    ):
        raise StudyError(f"{show(str(path))} is damaged; {anew}")
    if manifest["format"] != LAYOUT:
        raise OtherLayout(
            f"{show(str(folder))} is of format {manifest['format']}, written by ginsim "
            f"{manifest['ginsim']}; this is ginsim {__version__}, which reads format {LAYOUT}"
        )
    if hash_document(manifest["document"]) != manifest["study"]:
        raise StudyError(
            f"{show(str(path))} is damaged: its document is not the study that it names; {anew}"
        )
    return manifest


def find_other_versions(manifest: Mapping[str, Any]) -> str:
    """With what other versions a folder was begun that matter to what is played; empty if none."""
    ours = {"ginsim": __version__, "stream": _deck.STREAM_VERSION}
    return join_words(
        (
            f"{key} {manifest[key]} (this is {value})"
            for key, value in ours.items()
            if manifest[key] != value
        ),
        "and",
    )
