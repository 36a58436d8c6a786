"""What the project remembers of the open petition: one JSON in the project's own entries, with relative paths."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional

from qgis.core import QgsProject

SCOPE, ENTRY = "VillagePetition", "petition"
SCHEMA_VERSION = 1
EDITION = "2004"


@dataclass
class State:
    """Layers as {role: {"id", "name"}}, tables as {role: absolute path}, rate rows, edition, fields and petition."""

    layers: dict[str, dict[str, str]] = field(default_factory=dict)
    tables: dict[str, str] = field(default_factory=dict)
    rates: list[dict[str, str]] = field(default_factory=list)
    edition: str = EDITION
    fields: dict[str, str] = field(default_factory=dict)
    petition: Optional[dict[str, Any]] = None

    def is_empty(self) -> bool:
        """Whether there is nothing to remember."""
        return self == State()


class StateError(Exception):
    """What a project remembers cannot be read: one sentence."""


def read(project: QgsProject) -> Optional[State]:
    """What this project remembers, None where it knows no petition; raises `StateError`. Never makes it dirty."""
    text, found = project.readEntry(SCOPE, ENTRY, "")
    if not found or not text:
        return None
    return from_json(text, home(project))


def is_held(project: QgsProject) -> bool:
    """Whether this project knows a petition, readable or not."""
    return bool(project.readEntry(SCOPE, ENTRY, "")[0])


def write(project: QgsProject, state: State) -> None:
    """Remember this state; the project becomes dirty where it differs from what it knew."""
    text = "" if state.is_empty() else to_json(state, home(project))
    known, found = project.readEntry(SCOPE, ENTRY, "")
    if text == known:
        return
    if text:
        project.writeEntry(SCOPE, ENTRY, text)
    elif found:
        project.removeEntry(SCOPE, ENTRY)


def home(project: QgsProject) -> Optional[Path]:
    """The folder of the project's file, None where it is not saved."""
    return Path(project.fileName()).resolve().parent if project.fileName() else None


def to_json(state: State, folder: Optional[Path]) -> str:
    """The state as text, with paths relative to `folder` where there is one on the same drive."""
    return json.dumps(
        {
            "schema_version": SCHEMA_VERSION,
            "layers": state.layers,
            "tables": {role: _relative(path, folder) for role, path in state.tables.items()},
            "rates": state.rates,
            "edition": state.edition,
            "fields": state.fields,
            "petition": state.petition,
        },
        ensure_ascii=False,
        sort_keys=True,
    )


def from_json(text: str, folder: Optional[Path]) -> State:
    """The state in a text of `to_json`; raises `StateError` where it is none or comes from a later version."""
    try:
        held = json.loads(text)
        version = int(held["schema_version"])
        if version > SCHEMA_VERSION:
            raise StateError("A later version of Village Petition saved this project's petition. Update the plugin.")
        return State(
            layers={role: {"id": str(at["id"]), "name": str(at["name"])} for role, at in held["layers"].items()},
            tables={role: _absolute(path, folder) for role, path in held["tables"].items()},
            rates=[_texts(row) for row in held["rates"]],
            edition=str(held["edition"]),
            fields=_texts(held["fields"]),
            petition=None if held["petition"] is None else dict(held["petition"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise StateError(
            "The project's petition cannot be read. Choose the layers and tables again on the Layers page."
        ) from error


def _texts(row: Mapping[str, Any]) -> dict[str, str]:
    return {str(name): str(value) for name, value in row.items()}


def _relative(path: str, folder: Optional[Path]) -> str:
    if folder is None:
        return path
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:  # another drive on Windows
        return path


def _absolute(path: str, folder: Optional[Path]) -> str:
    return path if folder is None else os.path.normpath(folder / path)
