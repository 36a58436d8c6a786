"""Everything that touches QGIS or Qt; it stands on `core`, which knows nothing of it."""

from .geos import isolate

isolate()
