"""The few places where QGIS 3.22 and QGIS 4 want different words."""

from __future__ import annotations

from typing import Any

from qgis.core import Qgis, QgsField
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QVariant

FIELD_BY_META_TYPE = 33800


def _field(name: str, old: str, new: str) -> QgsField:
    if Qgis.versionInt() >= FIELD_BY_META_TYPE:
        from qgis.PyQt.QtCore import QMetaType

        return QgsField(name, getattr(QMetaType.Type, new))
    return QgsField(name, getattr(QVariant, old))


def text_field(name: str) -> QgsField:
    """A field of text."""
    return _field(name, "String", "QString")


def whole_field(name: str) -> QgsField:
    """A field of whole numbers of 64 bits, wide enough for any assessed value."""
    return _field(name, "LongLong", "LongLong")


def number_field(name: str) -> QgsField:
    """A field of numbers with decimals."""
    return _field(name, "Double", "Double")


def is_missing(value: Any) -> bool:
    """Whether an attribute is missing: None, or the NULL of a QVariant."""
    return value is None or (isinstance(value, QVariant) and value.isNull())


def is_gone(thing: Any) -> bool:
    """Whether a Qt object is None or was deleted on the other side."""
    return thing is None or sip.isdeleted(thing)
