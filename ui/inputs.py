"""The inputs of the open petition: which layer, field and table is which, the rates, the petition's facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Callable, Optional, TypeVar

from qgis.core import QgsFeatureRequest, QgsProject, QgsVectorLayer
from qgis.PyQt.QtCore import QObject, QTimer, pyqtSignal

from ..core.model import FieldMap, InputError, Table
from . import adapters, rates, state, towns
from .compat import is_gone, is_missing
from .guess import guess
from .rates import TownGround
from .watch import Watcher

ROLES = ("parcels", "towns", "territory", "cities_villages", "buildings", "streets", "waters", "districts")
TABLES = ("owners", "signers", "inhabitants", "unmapped", "overrides", "petition")
RATES = "rates"
TOUCH_MS = 40
"""An edit of many features says so many times; pages hear of it once."""
NEEDED_COVER = 0.001
"""A town that covers less of the territory than this is not asked for its rate before a run: it may have no part."""

MOST_NAMES = 3

T = TypeVar("T")


class Inputs(QObject):
    """Holds the inputs and tells what is still missing; `schedule` is called whenever results no longer fit them."""

    inputsChanged = pyqtSignal()
    notice = pyqtSignal(str, str)
    """Level (info, success, warning, error) and a sentence for the message bar."""

    def __init__(self, project: QgsProject, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self.project = project
        self._layers: dict[str, QgsVectorLayer] = {}
        self._state = state.State()
        self._declined: set[str] = set()
        self._touched: set[str] = set()
        self._cache: dict[Any, Any] = {}
        self._removing = False
        self._foreign = False
        """Whether the project holds a petition that cannot be read, which stays as it is until somebody starts anew."""
        self._loaded = False
        """Whether what the project holds was looked at since it was cleared."""
        self._awake = True
        self._stamp = 0
        self._watcher = Watcher(self._layer_changed)
        self._touch_timer = self._timer(TOUCH_MS, self._take_touches)
        self._remember_timer = self._timer(0, self._remember)
        self._guess_timer = self._timer(0, self._guess)

    # Reading

    def layer(self, role: str) -> Optional[QgsVectorLayer]:
        """The layer in a role, None where there is none or it was removed."""
        layer = self._layers.get(role)
        return None if is_gone(layer) else layer

    def missing(self, role: str) -> str:
        """The name of the layer that had this role and was removed from the project, else an empty text."""
        held = self._state.layers.get(role)
        return held["name"] if held is not None and self.layer(role) is None else ""

    def row_count(self, role: str) -> Optional[int]:
        """How many features the layer in a role has, None where there is none or its source does not tell."""
        layer = self.layer(role)
        count = -1 if layer is None else layer.featureCount()
        return None if count < 0 else int(count)

    def field_map(self) -> Optional[FieldMap]:
        """Which parcel field is which; None without a parcel layer or with a `field_problem`."""
        return self._fields()[0]

    def field_problem(self) -> str:
        """Why the parcel fields cannot be told, in a sentence; empty where they can."""
        return self._fields()[1]

    def field_sample(self, logical: str) -> str:
        """The first parcel's value in the field of this logical name, empty where it has none."""
        layer, found = self.layer("parcels"), self.field_map()
        name = found.get(logical) if found is not None else None
        if layer is None or name is None:
            return ""

        def first() -> dict[str, Any]:
            request = QgsFeatureRequest().setLimit(1)
            feature = next(layer.getFeatures(request), None)
            return {} if feature is None else dict(zip(layer.fields().names(), feature.attributes()))

        value = self._once("sample", first).get(name)
        if is_missing(value):
            return ""
        return f"{value:.0f}" if isinstance(value, float) and value == int(value) else str(value)

    def rates(self) -> list[dict[str, str]]:
        """One row for each town that the territory lies in: swis, town, rate, roll_year, final_roll_filed, kind."""
        return rates.shown(self._state.rates, self._towns())

    def table_path(self, role: str) -> str:
        """The file of a table, empty where none is chosen."""
        return self._state.tables.get(role, "")

    def table_count(self, role: str) -> Optional[int]:
        """How many rows a table has, None where there is none or it cannot be read."""
        if role == "petition" or not self.table_path(role):
            return None
        table = self._table(role)
        return None if table is None else len(table.rows)

    def edition(self) -> str:
        """The edition of the law that is applied."""
        return self._state.edition

    def editions(self) -> tuple[str, ...]:
        """The editions that can be chosen."""
        from ..core.editions import edition_ids

        return edition_ids()

    def petition(self) -> dict[str, Any]:
        """The petition's facts, with the keys of petition.json."""
        return dict(self._state.petition or {})

    def name(self) -> str:
        """What the petition is called: its own name, else the boundary's in a field NAME, else the project's."""
        own = str(self.petition().get("name", "")).strip() or self._once("name", self._boundary_name)
        return own or self.project.title().strip() or self.project.baseName() or self.tr("New petition")

    def waiting_for(self) -> str:
        """What a run still needs, in one sentence that names where; empty where it needs nothing."""
        for role in ("parcels", "towns", "territory"):
            if self.layer(role) is None:
                return self._wanting(role)
        if self.field_problem():
            return self.field_problem()
        needed = [town for town in self._towns() if town.cover >= NEEDED_COVER]
        if len(needed) > 1:
            for town, row in zip(needed, rates.shown(self._state.rates, needed)):
                if not row["rate"]:
                    return self.tr("Rate of {town} is empty. Enter it as printed, e.g. 52.00.").format(town=town.name)
        return ""

    # Changing

    def set_layer(self, role: str, layer: Optional[QgsVectorLayer]) -> None:
        """Choose the layer for a role, or none. What a combo box settles on while layers are removed is no choice."""
        if role not in ROLES:
            raise KeyError(role)
        if self._removing:
            return
        if layer is self.layer(role) and not (layer is None and role in self._state.layers):
            return
        self._hold(role, layer)
        if layer is None:
            self._declined.add(role)
        if role == "parcels":
            self._state.fields = {name: field for name, field in self._state.fields.items() if "." in name}
        self._input_changed(role in adapters.LAYER_ROLES)

    def set_field(self, logical: str, field: str) -> None:
        """Say which field of the parcels a logical name is; an empty text leaves it to detection."""
        _set_or_drop(self._state.fields, logical, field)
        self._input_changed()

    def detect_again(self) -> None:
        """Forget the fields chosen by hand."""
        self._state.fields = {}
        self._input_changed()

    def set_rate(self, row: int, column: str, text: str) -> None:
        """Type one cell of `rates()`."""
        if column not in rates.COLUMNS:
            raise KeyError(column)
        rates.put(self._state.rates, self.rates()[row], column, text)
        self._input_changed()

    def set_table(self, role: str, path: str) -> None:
        """Choose the file of a table, or none; rates and petition are read into the window at once."""
        if role in (RATES, "petition") and path:
            try:
                self._take_in(role, path)
            except InputError as error:
                for problem in error.problems:
                    self.notice.emit("error", problem)
                return
        elif role == RATES:
            self._state.rates = []
        elif role == "petition":
            self._state.petition = None
        elif role not in TABLES:
            raise KeyError(role)
        _set_or_drop(self._state.tables, role, path)
        self._input_changed()

    def set_edition(self, edition: str) -> None:
        """Choose the edition of the law."""
        if edition != self._state.edition:
            self._state.edition = edition
            self._input_changed()

    def set_petition(self, facts: Mapping[str, Any]) -> None:
        """Replace the petition's facts."""
        if dict(facts) != self.petition():
            self._state.petition = dict(facts) or None
            self._input_changed()

    def job(self) -> adapters.Job:
        """All inputs, captured for the task; call it in the main thread."""
        layers = {role: self.layer(role) for role in adapters.LAYER_ROLES}
        captured = {role: adapters.capture(layer) for role, layer in layers.items() if layer is not None}
        tables: dict[str, Any] = {role: path for role, path in self._state.tables.items() if role in TABLES}
        tables.pop("petition", None)
        tables[RATES] = rates.to_table(self._state.rates)
        return adapters.Job(captured, tables, self.petition() or None, self.edition(), dict(self._state.fields))

    # What changed

    def schedule(self) -> None:
        """The results no longer fit the inputs: run again when it suits."""
        raise NotImplementedError

    def _hold(self, role: str, layer: Optional[QgsVectorLayer]) -> None:
        self._watcher.release(role)
        self._layers.pop(role, None)
        if layer is None:
            self._state.layers.pop(role, None)
            return
        self._layers[role] = layer
        self._state.layers[role] = {"id": layer.id(), "name": layer.name()}
        self._watcher.watch(role, layer)

    def _layer_changed(self, role: str) -> None:
        if role in adapters.LAYER_ROLES:
            self._stamp += 1
        self._touched.add(role)
        self._touch_timer.start()

    def _take_touches(self) -> None:
        touched, self._touched = self._touched, set()
        self._cache.clear()
        if touched & set(adapters.LAYER_ROLES):
            self.schedule()
        self.inputsChanged.emit()

    def _input_changed(self, counts: bool = True) -> None:
        self._foreign = False
        self._cache.clear()
        self._remember_timer.start()
        if counts:
            self.schedule()
        self.inputsChanged.emit()

    def _guess(self) -> None:
        if not self._awake or self._is_opening():
            return
        empty = [role for role in ROLES if role not in self._state.layers and role not in self._declined]
        found = guess(self.project.mapLayers().values(), empty)
        if not found:
            return
        for role, layer in found.items():
            self._hold(role, layer)
        names = ", ".join(layer.name() for layer in tuple(found.values())[:MOST_NAMES])
        more = ", …" if len(found) > MOST_NAMES else ""
        text = self.tr("Taken by name: {layers}. The Layers page can change that.")
        self.notice.emit("info", text.format(layers=names + more))
        self._input_changed()

    def _remember(self) -> None:
        if not self._foreign and not self._is_opening():
            self._loaded = True
            state.write(self.project, self._state)

    def _is_opening(self) -> bool:
        """Whether QGIS is still adding the layers of a project that holds a petition; it runs timers meanwhile."""
        return not self._loaded and state.is_held(self.project)

    def _empty(self) -> None:
        """Forget all inputs."""
        self._stop_timers()
        self._watcher.release_all()
        self._layers.clear()
        self._state = state.State()
        self._declined, self._touched, self._cache = set(), set(), {}
        self._foreign = False

    # Small things

    def _take_in(self, role: str, path: str) -> None:
        from ..core import readers, tables

        if role == "petition":
            self._state.petition = dict(readers.read_petition(path))
            return
        table = readers.read_table(path)
        tables.rates(table)
        self._state.rates = rates.from_table(table)

    def _fields(self) -> tuple[Optional[FieldMap], str]:
        layer = self.layer("parcels")
        if layer is None:
            return None, ""

        def detect() -> tuple[Optional[FieldMap], str]:
            from ..core.schema import detect_fields

            chosen = {name: field for name, field in self._state.fields.items() if "." not in name}
            try:
                return detect_fields(adapters.source_name(layer), layer.fields().names(), chosen), ""
            except InputError as error:
                return None, " ".join(error.problems)

        return self._once("fields", detect)

    def _towns(self) -> tuple[TownGround, ...]:
        def find() -> tuple[TownGround, ...]:
            own = {name[6:]: field for name, field in self._state.fields.items() if name.startswith("towns.")}
            return towns.grounds(self.layer("towns"), self.layer("territory"), own, self.project)

        return self._once("towns", find)

    def _boundary_name(self) -> str:
        layer = self.layer("territory")
        at = -1 if layer is None else layer.fields().lookupField("name")
        feature = None if layer is None or at < 0 else next(layer.getFeatures(QgsFeatureRequest().setLimit(1)), None)
        value = None if feature is None else feature.attribute(at)
        return "" if is_missing(value) else str(value).strip()

    def _table(self, role: str) -> Optional[Table]:
        def read() -> Optional[Table]:
            from ..core.readers import read_table

            try:
                return read_table(self.table_path(role))
            except InputError:
                return None  # the run says why; here it has no rows to count

        return self._once(("table", role), read)

    def _once(self, key: Any, make: Callable[[], T]) -> T:
        """What `make` gives, made once until an input changes."""
        if key not in self._cache:
            self._cache[key] = make()
        value: T = self._cache[key]
        return value

    def _wanting(self, role: str) -> str:
        gone = self.missing(role)
        if gone:
            return self.tr("Layer “{name}” is missing. Choose another on the Layers page.").format(name=gone)
        return {
            "parcels": self.tr("Choose a parcel layer on the Layers page to begin."),
            "towns": self.tr("Choose the towns layer on the Layers page."),
            "territory": self.tr("Choose the boundary layer on the Boundary page."),
        }[role]

    def _timer(self, ms: int, slot: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(ms)
        timer.timeout.connect(slot)
        return timer

    def _stop_timers(self) -> None:
        for timer in (self._touch_timer, self._remember_timer, self._guess_timer):
            timer.stop()


def _set_or_drop(held: dict[str, str], name: str, text: str) -> None:
    if text:
        held[name] = text
    else:
        held.pop(name, None)
