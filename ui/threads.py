"""Where work runs that uses PROJ through pyproj: never in a thread of Qt's pool itself.

Such a thread has a Python state only while Python runs in it. pyproj 3.7 frees its PROJ context together with that
state but remembers it for the thread, so that the second analysis in the same thread would end in a crash.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Callable, TypeVar

from qgis.PyQt.QtCore import QCoreApplication, QThread

T = TypeVar("T")


def in_python_thread(work: Callable[[], T]) -> T:
    """What `work` gives, or raises, run in a thread that Python makes and ends; in the main thread it runs at once."""
    application = QCoreApplication.instance()
    if application is None or QThread.currentThread() == application.thread():
        return work()
    with ThreadPoolExecutor(max_workers=1) as threads:
        return threads.submit(work).result()
