"""Run a driver script inside the real QGIS window, under a virtual screen of its own.

A driver is a Python file with one function, called when the window stands and the plugin is loaded:

    def drive(window):
        window.open_project("/path/project.qgz")              # or window.add_layer(path, "Parcels")
        session = window.plugin.session
        window.wait(lambda: session.analysis is not None, "the first run")
        window.screenshot("after")                            # → <out>/after.png, the whole screen
        window.results["verdict"] = session.analysis.verdict  # anything that JSON can hold

`window` has `iface`, `plugin` (what classFactory gave), `out` (a folder), `arguments` (a dict from the caller),
`results`; `pump(ms)` runs the event loop; QTest works on any widget. A failed `assert` or any exception in the driver,
and any exception in a slot, ends up in `Outcome.errors`; QGIS always quits by its own way out, so `Outcome.code` is its
exit code and a crash shows.

From a test (fixture of tests/ui/conftest.py; skipped where there is no Xvfb or QGIS):

    def test_window(real_window, tmp_path):
        outcome = real_window("drivers/first_run.py", tmp_path, arguments={"data": str(CLEAN)})
        assert outcome.ok, outcome.report()
        assert outcome.results["verdict"] == "fail"

By hand:

    .venv/bin/python tests/ui/realwindow.py driver.py --out build/shots [--argument data=sample] [--dark] [--plugin no]
                                    [--size 1366x768] [--scale 2] [--lang de] [--without geopandas] [--seconds 120]

Nothing of the user's is touched: profile, settings and home are throw-away folders.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Optional

ROOT = Path(__file__).resolve().parents[2]
PLUGIN = "village_petition"
JOB = "VILLAGE_PETITION_JOB"


@dataclass
class Outcome:
    """What came of a run: QGIS's exit code (negative: killed by that signal), the driver's results, what went wrong."""

    code: int
    results: dict[str, Any] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    log: str = ""

    @property
    def ok(self) -> bool:
        """Whether the driver came to its end, nothing was raised anywhere, and QGIS left without a crash."""
        return self.code == 0 and not self.errors

    def report(self) -> str:
        """All that a person needs to see why it went wrong."""
        return "\n".join([f"exit code {self.code}", *self.errors, "--- log", self.log[-6000:]])


def available() -> bool:
    """Whether what a real window needs is installed."""
    return bool(shutil.which("Xvfb") and qgis_binary())


def qgis_binary() -> Optional[str]:
    """The QGIS executable itself: the Debian wrapper only sets variables that a throw-away profile does not need."""
    return shutil.which("qgis.bin") or shutil.which("qgis")


def make_profile(home: Path, plugin: bool = True, dark: bool = False, lang: str = "en") -> Path:
    """A throw-away profile with the plugin linked in and enabled; gives the folder for `--profiles-path`."""
    profile = home / "profiles" / "default"
    plugins = profile / "python" / "plugins"
    plugins.mkdir(parents=True)
    (profile / "QGIS").mkdir()
    if plugin:
        (plugins / PLUGIN).symlink_to(ROOT, target_is_directory=True)
    settings = [
        "[PythonPlugins]",
        f"{PLUGIN}={'true' if plugin else 'false'}",
        "processing=true",
        "[UI]",
        f"UITheme={'Night Mapping' if dark else 'default'}",
        "[locale]",
        f"userLocale={lang}",
        "overrideFlag=true",
        "[qgis]",
        "checkVersion=false",
        "stylesheet\\fontPointSize=9",
        "stylesheet\\fontFamily=DejaVu Sans",
        "[app]",
        "askToSaveMemoryLayers=false",
        "projections\\unknownCrsBehavior=NoAction",
        "[Projections]",
        "defaultBehavior=useProject",
        "[plugin-manager]",
        "automatically-check-for-updates=false",
        "[news-feed]",
        "disabled=true",
    ]
    (profile / "QGIS" / "QGIS3.ini").write_text("\n".join(settings) + "\n", encoding="utf-8")
    return home


def environment(home: Path, without: Sequence[str] = ()) -> dict[str, str]:
    """The environment of a QGIS that sees the spatial packages of this Python, and no folder of the user's."""
    keep = ("PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "PROJ_DATA", "GDAL_DATA")
    env = {name: os.environ[name] for name in keep if name in os.environ}
    blocker = home / "blocked"
    for package in without:
        (blocker / package).mkdir(parents=True)
        (blocker / package / "__init__.py").write_text(
            f'raise ModuleNotFoundError("No module named {package!r}", name={package!r})\n', encoding="utf-8"
        )
    site = [path for path in sys.path if path.endswith("site-packages")]
    env.update(
        HOME=str(home),
        XDG_DATA_HOME=str(home / "share"),
        XDG_CONFIG_HOME=str(home / "config"),
        XDG_CACHE_HOME=str(home / "cache"),
        XDG_RUNTIME_DIR=str(home),
        QT_QPA_PLATFORM="xcb",
        QT_ACCESSIBILITY="0",
        PYTHONPATH=os.pathsep.join(([str(blocker)] if without else []) + site),
        PYTHONDONTWRITEBYTECODE="1",
        LC_NUMERIC="C",
    )
    return env


def start_screen(size: str = "1366x768") -> tuple[subprocess.Popen[bytes], str]:
    """An X server on a display that nobody uses; gives the process and its name (":7")."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24", "-nolisten", "tcp", "-noreset"],
        pass_fds=(write,),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        number = pipe.readline().decode().strip()
    if not number:
        server.wait()
        raise RuntimeError("Xvfb found no free display")
    return server, f":{number}"


def run(
    driver: Path,
    out: Path,
    arguments: Optional[Mapping[str, Any]] = None,
    size: str = "1366x768",
    scale: float = 1.0,
    dark: bool = False,
    lang: str = "en",
    plugin: bool = True,
    without: Sequence[str] = (),
    manager: bool = False,
    seconds: int = 180,
) -> Outcome:
    """Run `driver` in a real QGIS; `without` names packages that shall not load, `manager` starts openbox too."""
    out.mkdir(parents=True, exist_ok=True)
    home = Path(tempfile.mkdtemp(prefix="village-petition-window-"))
    job = {
        "driver": str(Path(driver).resolve()),
        "out": str(out.resolve()),
        "arguments": dict(arguments or {}),
        "plugin": plugin,
        "size": [int(n) for n in size.split("x")],
        "answer": str(home / "answer.json"),
    }
    server, display = start_screen(size)
    helpers: list[subprocess.Popen[bytes]] = []
    try:
        make_profile(home, plugin, dark, lang)
        (home / "job.json").write_text(json.dumps(job), encoding="utf-8")
        start = home / "start.py"
        start.write_text(
            "import importlib.util\n"
            f"spec = importlib.util.spec_from_file_location('realwindow', {str(Path(__file__).resolve())!r})\n"
            "import sys\n"
            "realwindow = importlib.util.module_from_spec(spec)\n"
            "sys.modules['realwindow'] = realwindow\n"
            "spec.loader.exec_module(realwindow)\n"
            "realwindow.begin()\n",
            encoding="utf-8",
        )
        env = environment(home, without)
        env.update({"DISPLAY": display, JOB: str(home / "job.json"), "QT_SCALE_FACTOR": str(scale)})
        if manager and shutil.which("openbox"):
            helpers.append(subprocess.Popen(["openbox"], env=env, stderr=subprocess.DEVNULL))
        command = [
            str(qgis_binary()),
            "--noversioncheck",
            "--nologo",
            "--profiles-path",
            str(home),
            "--code",
            str(start),
        ]
        with open(home / "log.txt", "wb") as log:
            process = subprocess.Popen(command, env=env, stdout=log, stderr=log, cwd=str(home))
            try:
                code = process.wait(timeout=seconds)
                late: list[str] = []
            except subprocess.TimeoutExpired:
                _screen_shot(out / "timeout.png", env)
                process.send_signal(signal.SIGKILL)
                code = process.wait()
                late = [f"no end after {seconds} s; see timeout.png"]
        log_text = (home / "log.txt").read_text(encoding="utf-8", errors="replace")
        answer = {"results": {}, "errors": ["the driver never answered"]}
        if (home / "answer.json").exists():
            answer = json.loads((home / "answer.json").read_text(encoding="utf-8"))
        return Outcome(code, answer["results"], late + answer["errors"], log_text)
    finally:
        for helper in [*helpers, server]:
            helper.terminate()
            helper.wait()
        shutil.rmtree(home, ignore_errors=True)


def _screen_shot(path: Path, env: Mapping[str, str]) -> None:
    if shutil.which("import"):
        subprocess.run(["import", "-window", "root", str(path)], env=dict(env), check=False)


# Inside QGIS


class Window:
    """What a driver works with; see the module's text."""

    def __init__(self, iface: Any, plugin: Any, job: Mapping[str, Any]) -> None:
        self.iface = iface
        self.plugin = plugin
        self.out = Path(job["out"])
        self.arguments: dict[str, Any] = job["arguments"]
        self.results: dict[str, Any] = {}
        self.errors: list[str] = []

    def pump(self, ms: int = 50) -> None:
        """Run the event loop for so many milliseconds."""
        from qgis.PyQt.QtTest import QTest

        QTest.qWait(ms)

    def wait(self, condition: Callable[[], bool], what: str = "a condition", seconds: float = 30.0) -> None:
        """Run the event loop until `condition()` holds; an error naming `what` after so many seconds."""
        from qgis.PyQt.QtCore import QElapsedTimer

        clock = QElapsedTimer()
        clock.start()
        while not condition():
            if clock.elapsed() > seconds * 1000:
                self.screenshot("waiting")
                raise AssertionError(f"waited {seconds} s for {what}; see waiting.png")
            self.pump(20)

    def settle(self) -> None:
        """Wait until the canvas has drawn and no task runs."""
        from qgis.core import QgsApplication

        canvas = self.iface.mapCanvas()
        self.pump(100)
        self.wait(
            lambda: not canvas.isDrawing() and QgsApplication.taskManager().countActiveTasks() == 0,
            "the map to be drawn",
        )
        self.pump(100)

    def add_layer(self, source: str, name: str) -> Any:
        """Add a vector layer to the project and give it; an error if it is not valid."""
        from qgis.core import QgsProject, QgsVectorLayer

        layer = QgsVectorLayer(str(source), name, "ogr")
        if not layer.isValid():
            raise AssertionError(f"{source} is no vector layer")
        QgsProject.instance().addMapLayer(layer)
        return layer

    def open_project(self, path: str) -> None:
        """Open a project file as the window does."""
        if not self.iface.addProject(str(path)):
            raise AssertionError(f"{path} cannot be opened")

    def screenshot(self, name: str, widget: Any = None) -> Path:
        """Save the whole screen, or one widget, as <out>/<name>.png."""
        path = self.out / f"{name}.png"
        screen = self.iface.mainWindow().windowHandle().screen()
        picture = screen.grabWindow(0) if widget is None else widget.grab()
        if not picture.save(str(path)):
            raise AssertionError(f"{path} cannot be written")
        return path


def begin() -> None:
    """Called by QGIS once its window is made: drive as soon as the event loop runs."""
    from qgis.PyQt.QtCore import QTimer

    QTimer.singleShot(0, _drive)


def _drive() -> None:
    import importlib.util
    import traceback

    from qgis import utils
    from qgis.core import QgsProject
    from qgis.PyQt.QtCore import QTimer

    job = json.loads(Path(os.environ[JOB]).read_text(encoding="utf-8"))
    window = Window(utils.iface, utils.plugins.get(PLUGIN), job)

    def caught(kind: Any, value: Any, trace: Any) -> None:
        window.errors.append("in a slot: " + "".join(traceback.format_exception(kind, value, trace)))

    sys.excepthook = caught
    try:
        main = utils.iface.mainWindow()
        main.showNormal()
        main.setGeometry(0, 0, *job["size"])
        window.pump(300)
        if job["plugin"] and window.plugin is None:
            raise AssertionError("the plugin is not loaded:\n" + "\n".join(map(str, utils.plugins)))
        spec = importlib.util.spec_from_file_location("driver", job["driver"])
        if spec is None or spec.loader is None:
            raise AssertionError(f"{job['driver']} is no Python file")
        driver = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(driver)
        driver.drive(window)
    except BaseException:
        window.errors.append(traceback.format_exc())
    QgsProject.instance().setDirty(False)

    def leave() -> None:
        QgsProject.instance().setDirty(False)
        utils.iface.actionExit().trigger()

    answer = {"results": window.results, "errors": window.errors}
    Path(job["answer"]).write_text(json.dumps(answer, default=str), encoding="utf-8")
    QTimer.singleShot(0, leave)


def main() -> int:
    """The command line; see the module's text."""
    parser = argparse.ArgumentParser(description="Run a driver script in the real QGIS window under Xvfb.")
    parser.add_argument("driver", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--argument", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--size", default="1366x768")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--lang", default="en")
    parser.add_argument("--plugin", choices=("yes", "no"), default="yes")
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("--manager", action="store_true")
    parser.add_argument("--seconds", type=int, default=180)
    a = parser.parse_args()
    outcome = run(
        a.driver,
        a.out,
        dict(item.split("=", 1) for item in a.argument),
        a.size,
        a.scale,
        a.dark,
        a.lang,
        a.plugin == "yes",
        a.without,
        a.manager,
        a.seconds,
    )
    print(json.dumps(outcome.results, indent=1))
    if not outcome.ok:
        print(outcome.report(), file=sys.stderr)
    return 0 if outcome.ok else 1


if __name__ == "__main__" and JOB not in os.environ:
    sys.exit(main())
