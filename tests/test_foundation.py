"""What everything stands on: Qt that lives, a wheel that holds its data, and layers that hold."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.places import ROOT
from workbench.__main__ import NEEDED


def python(code: str, **environment: str) -> str:
    """What a fresh interpreter prints for `code`; it must end well."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=os.environ | environment,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


FIVE_THOUSAND_SIGNALS = """
from PySide6.QtCore import QCoreApplication, QObject, Signal

class Source(QObject):
    fired = Signal(bool)

application = QCoreApplication([])
source, received = Source(), []
source.fired.connect(received.append)
for _ in range(5000):
    source.fired.emit(True)
print(len(received), all(received))
"""


def test_qt_survives_five_thousand_signals() -> None:
    assert python(FIVE_THOUSAND_SIGNALS).split() == ["5000", "True"]


REAL_WINDOW = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QLabel

application = QApplication([])
window = QLabel("Fast IGMN")
window.resize(320, 200)
window.show()
def look():
    picture = window.grab().toImage()
    colours = {picture.pixel(x, y) for x in range(0, 320, 2) for y in range(80, 120, 2)}
    print(application.platformName(), picture.width() >= 320, len(colours) > 1)
    application.quit()
QTimer.singleShot(200, look)
sys.exit(application.exec())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="Xvfb is how a screen is had on Linux")
def test_a_real_window_opens() -> None:
    assert shutil.which("xvfb-run"), "Xvfb is missing: run bash .ci/system-packages"
    done = subprocess.run(
        ["xvfb-run", "--auto-servernum", sys.executable, "-c", REAL_WINDOW],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=os.environ | {"QT_QPA_PLATFORM": "xcb"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["xcb", "True", "True"]


@pytest.mark.parametrize(
    ("module", "strangers"),
    [
        ("figmn", {"PySide6", "pandas", "pyarrow", "river", "sklearn", "workbench", "scipy.stats"}),
        # scikit-learn brings pandas, which brings pyarrow, where they are installed.
        ("figmn.estimators", {"PySide6", "workbench"}),
        (
            "workbench.words.durations, workbench.words.machine, workbench.words.tables, workbench.words.values",
            {"PySide6", "figmn", "pandas", "pyarrow", "scipy", "sklearn", "workbench.source", "workbench.run"},
        ),
        ("workbench.source", {"PySide6", "figmn", "sklearn"}),
        ("workbench.run", {"PySide6", "pyqtgraph", "sklearn", "workbench.views"}),
        ("workbench.desk.desk", {"PySide6", "pyqtgraph", "sklearn", "workbench.views"}),
        # They take up to two seconds to import, which would keep the user waiting.
        ("workbench.evaluate.speed.tables", {"PySide6", "sklearn", "scipy.stats", "pandas"}),
        ("workbench.evaluate.sweep.sweep", {"PySide6", "sklearn", "scipy.stats", "pandas"}),
        ("workbench.window.application", {"sklearn", "scipy.stats", "pandas"}),
    ],
)
def test_rooms_stay_free_of_strangers(module: str, strangers: set[str]) -> None:
    loaded = python(f"import sys, {module}; print(*sys.modules)").split()
    assert not strangers & set(loaded)


LOOPS = """
kept = [value for value in vars(kernels).values() if hasattr(value, "signatures") and hasattr(value._cache, "flush")]
loops = [*kernels.LEARN_ROWS.values(), *(loop for loop in kept if type(loop._cache).__name__ == "KeptCode")]
"""
"""Everything that Python calls, and so is kept on disk."""


def test_the_second_start_compiles_nothing() -> None:
    code = (
        """
from figmn import bench, kernels
bench.warm_up()
"""
        + LOOPS
        + """
print(sum(sum(loop.stats.cache_misses.values()) for loop in loops), *{len(loop.signatures) for loop in loops})
"""
    )
    python(code)
    assert python(code).split() == ["0", "1"]


def test_every_loop_is_compiled_for_one_kind_of_arrays() -> None:
    code = (
        """
import itertools, warnings
import numpy as np
from figmn import IGMN, FastIGMN, bench, kernels
warnings.simplefilter("ignore")
bench.warm_up()
for width, rule, scaled in itertools.product((2, 300), ("exact", "published"), (False, True)):
    rows = np.random.default_rng(0).normal(size=(30, width))
    gaps = np.asfortranarray(np.where(np.arange(width) == 1, np.nan, rows))
    options = {"covariance": rule, "scale": np.ones(width) if scaled else None, "delta": 1, "beta": 0, "v_min": 3}
    for model in (FastIGMN(**options), IGMN(**options), IGMN(**options, solver="inverse")):
        model.learn(rows.astype(np.float32)).learn(gaps).learn(rows[::2, ::-1])
        model.learn_one(rows[0])
        model.learn_recorded(rows)
"""
        + LOOPS
        + """
print(len(loops), *{len(loop.signatures) for loop in loops})
"""
    )
    assert python(code).split() == ["15", "1"]


def test_the_wheel_holds_both_packages_and_the_data(tmp_path: Path) -> None:
    build = f"""
from hatchling.builders.wheel import WheelBuilder
print(*WheelBuilder({str(ROOT)!r}).build(directory={str(tmp_path)!r}, versions=["standard"]))
"""
    wheel = Path(python(build).strip())
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        archive.extractall(tmp_path / "installed")
        entry_points = archive.read(next(name for name in names if name.endswith("entry_points.txt"))).decode()
    assert {"figmn/py.typed", "workbench/assets/datasets/README.md"} <= set(names)
    assert not [name for name in names if name.startswith("tests")]
    assert "figmn-workbench = workbench.__main__:main" in entry_points
    # Away from the checkout, the data is found inside the package.
    probe = "from workbench.source.samples import assets, sample; print(assets(), sample('digits').read().n_rows)"
    code = f"import sys; sys.path.insert(0, {str(tmp_path / 'installed')!r}); {probe}"
    where, rows = python(f"import os; os.chdir('/'); {code}").split()
    assert Path(where) == tmp_path / "installed" / "workbench" / "assets"
    assert rows == "1797"


WITHOUT_EXTRAS = """
import sys
sys.modules.update(dict.fromkeys(["PySide6", "pyqtgraph", "pyarrow", "pandas", "river"]))  # not importable from here on
"""


def test_the_library_needs_no_extra() -> None:
    code = """
from figmn import FastIGMN, FastIGMNClassifier
model = FastIGMNClassifier().fit([[0.0], [1.0], [5.0], [6.0]], ["low", "low", "high", "high"])
print(*model.predict([[0.4], [5.4]]), FastIGMN(scale=[1.0]).learn([[0.0]]).n_components)
"""
    assert python(WITHOUT_EXTRAS + code).split() == ["low", "high", "1"]


@pytest.mark.parametrize("arguments", [[], ["--version"], ["run", "recipe.json"], ["bench", "--dims", "2"]])
def test_without_the_extra_the_command_line_says_what_to_install(arguments: list[str]) -> None:
    code = "import runpy; sys.argv[0] = 'workbench'; runpy.run_module('workbench', run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_EXTRAS + code, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        cwd=ROOT,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "figmn-workbench: PySide6, pyqtgraph and pyarrow are not installed; "
        "install the workbench with: pip install 'figmn-workbench[workbench]'\n"
    )


def test_the_command_line_knows_the_packages_of_the_extra() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    packages = {re.split(r"[-<>=]", requirement)[0] for requirement in extras["workbench"]}
    assert packages == set(NEEDED)


def test_setting_up_twice_does_nothing_the_second_time() -> None:
    if not (ROOT / ".venv" / "installed").exists():
        pytest.skip("this checkout was not set up by make")
    done = subprocess.run(["make", "--question", "setup"], cwd=ROOT, check=False, capture_output=True)
    assert done.returncode == 0
