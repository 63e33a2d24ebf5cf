"""Limits of control groups, read from folders that look like the kernel's."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from figmn.system import container, memory, processor

MACHINE = SimpleNamespace(total=64_000, available=50_000)


class Groups:
    """A machine with 64,000 bytes and eight cores, whose control groups a test fills."""

    def __init__(self, folder: Path) -> None:
        self.root, self.own = folder / "cgroup", folder / "own"
        self.root.mkdir()

    def belongs_to(self, *lines: str) -> None:
        self.own.write_text("".join(f"{line}\n" for line in lines))

    def write(self, group: str, **files: str) -> None:
        folder = self.root / group
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name.replace("__", ".")).write_text(f"{text}\n")


@pytest.fixture
def groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Groups:
    found = Groups(tmp_path)
    monkeypatch.setattr(container, "ROOT", found.root)
    monkeypatch.setattr(container, "OWN_GROUPS", found.own)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: MACHINE)
    monkeypatch.setattr(psutil.Process, "cpu_affinity", lambda _: list(range(8)), raising=False)
    return found


def test_without_groups_the_machine_counts(groups: Groups) -> None:
    assert not groups.own.exists()
    assert (memory.available_bytes(), memory.total_bytes(), processor.n_cores()) == (50_000, 64_000, 8)


def test_a_group_without_a_limit_leaves_the_machine(groups: Groups) -> None:
    groups.belongs_to("0::/user")
    groups.write("user", memory__max="max", memory__current="9000", cpu__max="max 100000")
    assert (memory.available_bytes(), memory.total_bytes(), processor.n_cores()) == (50_000, 64_000, 8)


def test_version_2_limits_count(groups: Groups) -> None:
    groups.belongs_to("0::/")
    groups.write("", memory__max="20000", memory__current="12000", cpu__max="150000 100000")
    assert (memory.available_bytes(), memory.total_bytes(), processor.n_cores()) == (8_000, 20_000, 2)


def test_version_1_limits_count(groups: Groups) -> None:
    groups.belongs_to("4:memory:/box", "2:cpu,cpuacct:/box", "1:pids:/elsewhere", "0::/")
    groups.write("memory/box", memory__limit_in_bytes="20000", memory__usage_in_bytes="12000")
    groups.write("memory", memory__limit_in_bytes=str(2**63 - 4096), memory__usage_in_bytes="40000")
    groups.write("cpu/box", cpu__cfs_quota_us="50000", cpu__cfs_period_us="100000")
    groups.write("cpu", cpu__cfs_quota_us="-1", cpu__cfs_period_us="100000")
    assert (memory.available_bytes(), memory.total_bytes(), processor.n_cores()) == (8_000, 20_000, 1)


def test_the_limit_of_a_group_around_counts(groups: Groups) -> None:
    groups.belongs_to("0::/outer/inner")
    groups.write("outer", memory__max="20000", memory__current="19000", cpu__max="300000 100000")
    groups.write("outer/inner", memory__max="30000", memory__current="1000", cpu__max="max 100000")
    assert (memory.available_bytes(), memory.total_bytes(), processor.n_cores()) == (1_000, 20_000, 3)


def test_a_container_that_sees_its_group_as_the_root_is_limited(groups: Groups) -> None:
    groups.belongs_to("4:memory:/docker/name-outside")
    groups.write("memory", memory__limit_in_bytes="20000", memory__usage_in_bytes="12000")
    assert memory.available_bytes() == 8_000


@pytest.mark.parametrize(
    ("own", "group", "limit", "used", "prefix"),
    [
        ("0::/", "", "memory__max", "memory__current", ""),
        ("4:memory:/", "memory", "memory__limit_in_bytes", "memory__usage_in_bytes", "total_"),
    ],
)
def test_cached_pages_of_files_are_available(
    groups: Groups, own: str, group: str, limit: str, used: str, prefix: str
) -> None:
    """A large file that was read fills the group with its pages, which the kernel drops when memory is needed."""
    groups.belongs_to(own)
    stat = f"anon 4000\n{prefix}inactive_file 3000\n{prefix}active_file 4000"
    groups.write(group, **{limit: "20000", used: "19000", "memory__stat": stat})
    assert memory.available_bytes() == 8_000


def test_more_in_use_than_the_limit_leaves_nothing(groups: Groups) -> None:
    groups.belongs_to("0::/")
    groups.write("", memory__max="20000", memory__current="21000")
    assert memory.available_bytes() == 0


def test_an_allocation_beyond_the_limit_is_refused_with_the_numbers(
    groups: Groups, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "SMALL", 0)
    groups.belongs_to("0::/")
    groups.write("", memory__max="3000000", memory__current="1000000")
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=10**9))
    memory.require(2_000_000, "a matrix")
    with pytest.raises(MemoryError, match=r"^a matrix: 2\.1 MB needed, 2\.0 MB available; the model stays as it is"):
        memory.require(2_100_000, "a matrix")
