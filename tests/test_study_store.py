"""Studies that survive: killed, damaged, without disk, on other executors, with the same bytes."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner

import ginsim
from ginsim.cli import main, progress
from ginsim.studies import executors, kinds, locks, store, taskfiles

#: All kinds, a rule of stopping, records, several cells: some fifty tasks of a few hundredths of a
#: second.
STUDY = """
title = "Early or late"
seed = 11

[strategies]
late = "greedy(knock_at=4)"

[run.ends]
kind = "hands"
rules = ["kawu", "classic"]
south = ["greedy", "late"]
hands = 400_000
task = 50_000

[run.who]
kind = "duel"
rules = "kawu"
a = "late"
b = "simple"
precision = 0.02
task = 500

[run.games]
kind = "games"
rules = "hollywood"
games = 3000
task = 500

[run.why]
kind = "decisions"
rules = "kawu"
hands = 600
task = 200
rows = true

[run.when]
kind = "knock"
rules = "kawu"
policy = "late"
hands = 8000
task = 2000
"""


def snapshot(folder: Path) -> dict[str, bytes]:
    """All files that have to be the same."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("run.log", "lock")
    }


def count_tasks(folder: Path) -> int:
    return len(list((folder / "tasks").glob("[0-9a-f]*")))


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes]]:
    """The study's file, and its folder after a run that nothing disturbed."""
    folder = tmp_path_factory.mktemp("reference")
    path = folder / "study.toml"
    path.write_text(STUDY)
    told: list[str] = []
    ginsim.run_study(path, folder / "study.study", threads=1, tell=told.append)
    assert told == []
    return path, snapshot(folder / "study.study")


def start(path: Path, folder: Path, *words: str) -> subprocess.Popen[str]:
    """The command, in a process of its own."""
    command = [sys.executable, "-m", "ginsim", "study", "run", str(path), "--folder", str(folder)]
    return subprocess.Popen(
        [*command, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def wait_for(folder: Path, number: int, process: subprocess.Popen[str]) -> None:
    """Wait until so many tasks are there, or the process has ended."""
    end = time.monotonic() + 120
    while process.poll() is None and count_tasks(folder) < number:
        assert time.monotonic() < end
        time.sleep(0.002)


# ---------------------------------------------------------------- killed


def kill_often(path: Path, folder: Path, wanted: dict[str, bytes], kills: int) -> None:
    chance = random.Random(kills)
    killed = 0
    left = False
    for _ in range(200):
        before = count_tasks(folder) if folder.exists() else 0
        process = start(path, folder, "--threads", "2")
        if killed < kills:
            # The first kills come at any moment of the start, the others at any of the work.
            if killed % 3:
                wait_for(folder, before + 1, process)
            time.sleep(chance.uniform(0, 0.02 if killed % 3 else 1.5))
            process.kill()
        _, errors = process.communicate()
        assert count_tasks(folder) >= before if folder.exists() else before == 0
        assert ("did not end its run" in errors) <= left, errors
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL, errors
        left = True
        killed += 1
    else:
        pytest.fail("it never ended")
    assert snapshot(folder) == wanted
    assert killed == kills


def test_killed_and_resumed(reference: tuple[Path, dict[str, bytes]], tmp_path: Path) -> None:
    path, wanted = reference
    kill_often(path, tmp_path / "out", wanted, 3)


@pytest.mark.slow
def test_killed_twenty_times(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text(STUDY.replace("400_000", "4_000_000").replace("3000", "20_000"))
    ginsim.run_study(path, tmp_path / "whole", threads=2)
    wanted = snapshot(tmp_path / "whole")
    folder = tmp_path / "out"
    kill_often(path, folder, wanted, 20)
    logged = [json.loads(line) for line in (folder / "run.log").read_text().splitlines()]
    # Of three kills two come when there is a new task, after the start was logged.
    assert sum(entry["event"] == "start" for entry in logged) >= 13
    # What was written once is never played again; a kill may come between a file and its line.
    played = [entry["task"] for entry in logged if entry["event"] == "task"]
    assert len(played) == len(set(played))
    assert count_tasks(folder) - 20 <= len(played) <= count_tasks(folder)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_leaves_a_folder_to_resume(
    reference: tuple[Path, dict[str, bytes]], tmp_path: Path, number: int, code: int
) -> None:
    path, wanted = reference
    folder = tmp_path / "out"
    process = start(path, folder, "--threads", "2")
    wait_for(folder, 3, process)
    process.send_signal(number)
    _, errors = process.communicate()
    assert process.returncode == code, errors
    assert f"ginsim study resume {folder}" in errors
    assert "Traceback" not in errors
    assert not (folder / "lock").exists()
    assert not list(folder.rglob(".*.part"))
    assert 3 <= count_tasks(folder) < len([name for name in wanted if name.startswith("tasks/")])
    result = CliRunner().invoke(main, ["study", "status", str(folder)])
    assert "unfinished" in result.output
    result = CliRunner().invoke(main, ["study", "resume", str(folder)])
    assert result.exit_code == 0, result.output
    assert snapshot(folder) == wanted


# ---------------------------------------------------------------- damaged


@pytest.fixture
def folder(reference: tuple[Path, dict[str, bytes]], tmp_path: Path) -> Path:
    """A copy of the finished folder."""
    copy = tmp_path / "copy.study"
    shutil.copytree(reference[0].with_suffix(".study"), copy)
    return copy


def mend(path: Path, folder: Path, **options: Any) -> list[str]:
    """Run the study in the folder; what is told."""
    told: list[str] = []
    ginsim.run_study(path, folder, threads=2, tell=told.append, **options)
    return told


def swap(task: Path, other: Path) -> None:
    task.write_bytes(other.read_bytes())


DAMAGES: dict[str, tuple[Callable[[Path, Path], object], str]] = {
    "cut off": (lambda task, _: task.write_bytes(task.read_bytes()[:-7]), "is cut off"),
    "cut in the header": (lambda task, _: task.write_bytes(task.read_bytes()[:90]), "is cut off"),
    "empty": (lambda task, _: task.write_bytes(b""), "is empty"),
    "missing": (lambda task, _: task.unlink(), "is missing"),
    "of another task": (swap, "is of another task"),
    "foreign": (lambda task, _: task.write_text("a,b\n1,2\n"), "is no file of a task"),
    "changed": (
        lambda task, _: task.write_bytes(task.read_bytes()[:-1] + b"1\n"),
        "is cut off or changed",
    ),
}


def change_digit(task: Path, _: Path) -> None:
    """Change the last digit of a file for another."""
    data = bytearray(task.read_bytes())
    place = max(place for place, byte in enumerate(data) if chr(byte).isdigit())
    data[place] = ord("7") if data[place] != ord("7") else ord("8")
    task.write_bytes(data)


def test_every_changed_byte_is_noticed(
    reference: tuple[Path, dict[str, bytes]], folder: Path
) -> None:
    study = ginsim.read_study(reference[0])
    shelf = store.Folder(folder, study)
    chance = random.Random(1)
    run = study.runs[3]
    sums = kinds.KINDS["decisions"].list_tasks(run, run.cells[0])[0]
    (rows,) = kinds.ranges.list_rows(run, [sums])
    for task in (sums, rows):
        path = shelf.locate(task)
        whole = path.read_bytes()
        shelf.read(task)
        head = whole.index(b"\n") + 1
        places = [chance.randrange(head) for _ in range(150)]
        places += [chance.randrange(len(whole)) for _ in range(150)]
        for place in places:
            data = bytearray(whole)
            data[place] ^= 1 << chance.randrange(8)
            path.write_bytes(data)
            with pytest.raises(taskfiles.DamagedFile):
                shelf.read(task)
        path.write_bytes(whole + b"\n")
        with pytest.raises(taskfiles.DamagedFile):
            shelf.read(task)
        path.write_bytes(whole)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_named_and_made_again(
    reference: tuple[Path, dict[str, bytes]], folder: Path, damage: str
) -> None:
    path, wanted = reference
    sums = [
        task for task in sorted((folder / "tasks").iterdir()) if b'"shapes"' in task.read_bytes()
    ]
    break_it, words = DAMAGES[damage]
    break_it(sums[2], sums[5])
    (problem,) = ginsim.study_status(folder)["problems"]
    assert problem.startswith(f"tasks/{sums[2].name} {words}")
    assert ginsim.study_status(folder)["state"] == "unfinished"
    (told,) = mend(path, folder)
    assert told.startswith(f"tasks/{sums[2].name} {words}")
    assert told.endswith("its task is played again")
    assert snapshot(folder) == wanted
    assert mend(path, folder) == []
    assert ginsim.study_status(folder)["state"] == "finished"


@pytest.mark.parametrize("damage", ["cut off", "missing", "of another task", "changed", "empty"])
def test_damaged_records_are_named_and_made_again(
    reference: tuple[Path, dict[str, bytes]], folder: Path, damage: str
) -> None:
    path, wanted = reference
    rows = [
        task
        for task in sorted((folder / "tasks").iterdir())
        if b'"shapes"' not in task.read_bytes()
    ]
    assert len(rows) == 3
    break_it, words = DAMAGES[damage]
    if damage == "changed":
        break_it, words = change_digit, "is cut off or changed: its SHA-256 is another"
    break_it(rows[0], rows[1])
    (problem,) = ginsim.study_status(folder)["problems"]
    assert words in problem
    assert ginsim.study_status(folder)["state"] == "unfinished"
    (told,) = mend(path, folder)
    assert told.startswith(f"tasks/{rows[0].name} ")
    assert words in told
    assert snapshot(folder) == wanted


def test_tables_that_were_changed_are_written_again(
    reference: tuple[Path, dict[str, bytes]], folder: Path
) -> None:
    path, wanted = reference
    (folder / "tables" / "ends.csv").write_text("oh")
    (folder / "tables" / "who.csv").unlink()
    assert mend(path, folder) == []
    assert snapshot(folder) == wanted


@pytest.mark.parametrize("name", ["ends.csv", "who.looks.csv", "why.rows-1.csv"])
@pytest.mark.parametrize("damage", ["cut off", "changed", "missing"])
def test_damaged_tables_are_noticed(
    reference: tuple[Path, dict[str, bytes]], folder: Path, name: str, damage: str
) -> None:
    path, wanted = reference
    table = folder / "tables" / name
    break_it, words = DAMAGES[damage]
    if damage == "changed":
        break_it = change_digit
    break_it(table, table)
    status = ginsim.study_status(folder)
    assert status["state"] == "unfinished"
    (problem,) = status["problems"]
    assert problem.startswith(f"tables/{name} {words}")
    assert f"ginsim study resume {folder}" in problem
    if ".rows-" in name:  # records stay in their files
        assert "why.rows" in ginsim.read_tables(folder)
    else:
        with pytest.raises(ginsim.StudyError, match=f"tables/{name} {words}") as caught:
            ginsim.read_tables(folder)
        assert f"ginsim study resume {folder}" in str(caught.value)
    assert mend(path, folder) == []
    assert snapshot(folder) == wanted
    assert ginsim.study_status(folder)["state"] == "finished"


@pytest.mark.parametrize("text", [None, "", "{}", "[1]", '{"ends.csv": 3}'])
def test_without_the_list_of_tables_they_are_not_finished(
    reference: tuple[Path, dict[str, bytes]], folder: Path, text: str | None
) -> None:
    (folder / "tables.json").unlink()
    if text is not None:
        (folder / "tables.json").write_text(text)
    assert ginsim.study_status(folder)["state"] == "unfinished"
    with pytest.raises(ginsim.StudyError, match="no tables yet"):
        ginsim.read_tables(folder)
    assert mend(reference[0], folder) == []
    assert snapshot(folder) == reference[1]


def test_files_of_the_user_are_no_tables(folder: Path) -> None:
    (folder / "tables" / "mine.csv").write_text("a\n1\n")
    assert "mine" not in ginsim.read_tables(folder)
    assert ginsim.study_status(folder)["state"] == "finished"


def test_foreign_files_are_named_and_left(
    reference: tuple[Path, dict[str, bytes]], folder: Path
) -> None:
    path, _ = reference
    names = ["tasks/notes.txt", f"tasks/{'0' * 32}.csv", "tables/mine.csv"]
    for name in names:
        (folder / name).write_text("mine")
    (folder / "tasks" / ".x.csv.01234567.part").write_text("half")
    told = mend(path, folder)
    assert sorted(text.partition(" is no ")[0] for text in told) == sorted(names)
    assert all((folder / name).read_text() == "mine" for name in names)
    assert not (folder / "tasks" / ".x.csv.01234567.part").exists()


def test_a_damaged_manifest_is_written_again(
    reference: tuple[Path, dict[str, bytes]], folder: Path
) -> None:
    path, wanted = reference
    manifest = folder / "manifest.json"
    manifest.write_bytes(manifest.read_bytes()[:100])
    with pytest.raises(ginsim.StudyError, match="is damaged"):
        ginsim.study_status(folder)
    assert mend(path, folder) == ["manifest.json is damaged; it is written anew"]
    assert snapshot(folder) == wanted


def test_a_manifest_of_another_document_is_damaged(
    reference: tuple[Path, dict[str, bytes]], folder: Path
) -> None:
    manifest = folder / "manifest.json"
    document = json.loads(manifest.read_text())
    document["document"]["run"]["ends"]["hands"] = 1
    manifest.write_text(json.dumps(document))
    for read in (ginsim.study_status, ginsim.read_tables):
        with pytest.raises(ginsim.StudyError, match="its document is not the study that it names"):
            read(folder)
    assert mend(reference[0], folder) == ["manifest.json is damaged; it is written anew"]
    assert snapshot(folder) == reference[1]


def lose_manifest(folder: Path) -> None:
    (folder / "manifest.json").unlink()


def link_manifest(folder: Path) -> None:
    """A link that leads nowhere."""
    lose_manifest(folder)
    (folder / "manifest.json").symlink_to(folder / "nowhere" / "manifest.json")


def lose_log(folder: Path) -> None:
    (folder / "run.log").unlink()


def damage_manifest(folder: Path) -> None:
    (folder / "manifest.json").write_text("{")


def lose_tasks(folder: Path) -> None:
    shutil.rmtree(folder / "tasks")


@pytest.mark.parametrize(
    ("losses", "words"),
    [
        ([lose_manifest], "is missing, and .* files in tasks are of another study or version"),
        ([damage_manifest], "is damaged, and .* files in tasks are of another study or version"),
        ([link_manifest], "is missing, and .* files in tasks are of another study or version"),
        ([lose_manifest, lose_log], "files in tasks are of another study or version"),
        ([lose_manifest, lose_tasks], "run.log says that it holds another study"),
        ([damage_manifest, lose_tasks, lose_log], "nothing in it tells"),
        ([lose_manifest, lose_tasks, lose_log], "nothing in it tells"),
    ],
)
def test_without_a_manifest_another_study_is_refused(
    reference: tuple[Path, dict[str, bytes]],
    folder: Path,
    tmp_path: Path,
    losses: list[Callable[[Path], None]],
    words: str,
) -> None:
    path, wanted = reference
    other = tmp_path / "other.toml"
    other.write_text(STUDY.replace("seed = 11", "seed = 12"))
    for lose in losses:
        lose(folder)
    before = snapshot(folder)
    for recompute in (False, True):
        with pytest.raises(ginsim.StudyError, match=words) as caught:
            mend(other, folder, recompute=recompute)
        assert "allowed: another folder" in str(caught.value)
    with pytest.raises(ginsim.StudyError, match=words):
        ginsim.merge_studies(folder, [start_other(other, tmp_path / "part")])
    assert snapshot(folder) == before
    if lose_log in losses and lose_tasks in losses:
        # Not even the study itself is known again.
        with pytest.raises(ginsim.StudyError, match=words):
            mend(path, folder)
        return
    told = mend(path, folder)
    assert told[-1].startswith("manifest.json is ")
    assert told[-1].endswith("; it is written anew")
    assert snapshot(folder) == wanted


def start_other(path: Path, folder: Path) -> Path:
    ginsim.run_study(path, folder, threads=2, part=(1, 50))
    return folder


def test_one_foreign_task_is_enough_to_refuse(
    reference: tuple[Path, dict[str, bytes]], folder: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.toml"
    other.write_text(STUDY.replace("seed = 11", "seed = 12"))
    part = start_other(other, tmp_path / "part")
    foreign = sorted((part / "tasks").iterdir())[0]
    shutil.copy(foreign, folder / "tasks")
    (folder / "tasks" / f"{'0' * 32}.csv").write_text("mine")
    lose_manifest(folder)
    with pytest.raises(ginsim.StudyError, match=f"1 of the files .* such as {foreign.name}"):
        mend(reference[0], folder)
    (folder / "tasks" / foreign.name).unlink()
    told = mend(reference[0], folder)
    assert told[0] == "manifest.json is missing; it is written anew"
    assert told[1].startswith(f"tasks/{'0' * 32}.csv is no task")


def test_another_study_is_refused(
    reference: tuple[Path, dict[str, bytes]], folder: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.toml"
    other.write_text(STUDY.replace("seed = 11", "seed = 12"))
    before = snapshot(folder)
    with pytest.raises(ginsim.StudyError) as caught:
        mend(other, folder)
    assert ginsim.read_study(other).hash in str(caught.value)
    assert ginsim.read_study(reference[0]).hash in str(caught.value)
    assert snapshot(folder) == before


def test_another_version_is_refused_or_played_again(
    reference: tuple[Path, dict[str, bytes]], folder: Path
) -> None:
    path, wanted = reference
    manifest = folder / "manifest.json"
    document = json.loads(manifest.read_text())
    manifest.write_text(json.dumps({**document, "ginsim": "0.0.1", "stream": 0}))
    with pytest.raises(ginsim.StudyError, match=r"ginsim 0\.0\.1 .* and stream 0 .*--recompute"):
        mend(path, folder)
    assert any("ginsim 0.0.1" in text for text in ginsim.study_status(folder)["problems"])
    (folder / "tables" / "mine.csv").write_text("mine")
    (folder / "tables" / "plots").mkdir()
    started = time.time_ns()
    told = mend(path, folder, recompute=True)
    assert "all is played again" in told[0]
    # What is not of the study is nobody's to delete.
    assert (folder / "tables" / "mine.csv").read_text() == "mine"
    (folder / "tables" / "mine.csv").unlink()
    (folder / "tables" / "plots").rmdir()
    assert snapshot(folder) == wanted
    assert all(task.stat().st_mtime_ns > started for task in (folder / "tasks").iterdir())


def test_another_layout_is_refused_and_not_taken_for_damage(
    reference: tuple[Path, dict[str, bytes]], folder: Path
) -> None:
    manifest = folder / "manifest.json"
    document = json.loads(manifest.read_text())
    manifest.write_text(json.dumps({**document, "format": 999}))
    before = snapshot(folder)
    with pytest.raises(ginsim.StudyError, match="is of format 999"):
        mend(reference[0], folder)
    assert snapshot(folder) == before


def test_other_packages_are_named(reference: tuple[Path, dict[str, bytes]], folder: Path) -> None:
    manifest = folder / "manifest.json"
    document = json.loads(manifest.read_text())
    manifest.write_text(json.dumps({**document, "packages": {"numpy": "0.1"}}))
    (told,) = mend(reference[0], folder)
    assert "'numpy': '0.1'" in told


def test_what_is_no_folder_of_a_study_is_left_alone(tmp_path: Path) -> None:
    study = {"seed": 1, "run": {"x": {"kind": "hands", "rules": "kawu", "hands": 1}}}
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(ginsim.StudyError, match="is not empty"):
        ginsim.run_study(study, tmp_path)
    with pytest.raises(ginsim.StudyError, match="is a file"):
        ginsim.run_study(study, tmp_path / "thesis.tex")
    with pytest.raises(ginsim.StudyError, match="does not exist"):
        ginsim.run_study(study, tmp_path / "no" / "where")
    with pytest.raises(ginsim.StudyError, match=r"/thesis.tex' is a file; allowed: the name of a"):
        ginsim.run_study(study, tmp_path / "thesis.tex" / "sub")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for place in (tmp_path / "link", tmp_path / "link" / "sub"):
        with pytest.raises(ginsim.StudyError, match=r"/link' is a link that leads nowhere"):
            ginsim.run_study(study, place)
    (tmp_path / "link").unlink()
    with pytest.raises(ginsim.StudyError, match="no manifest"):
        ginsim.study_status(tmp_path)
    ginsim.run_study(study, tmp_path / "part", part=(2, 2))
    with pytest.raises(ginsim.StudyError, match="no tables yet"):
        ginsim.read_tables(tmp_path / "part")


# ---------------------------------------------------------------- the lock


def test_a_second_runner_is_refused(reference: tuple[Path, dict[str, bytes]], folder: Path) -> None:
    path, _ = reference
    with locks.hold_lock(folder / "lock"):
        with pytest.raises(ginsim.StudyError, match=f"is being run by process {os.getpid()} on"):
            mend(path, folder)
        status = ginsim.study_status(folder)
        assert status["state"] == "running"
        assert f"process {os.getpid()} on " in status["holder"]
        result = CliRunner().invoke(main, ["study", "resume", str(folder)])
        assert result.exit_code == 2
        assert "one runner at a time" in result.output
    assert mend(path, folder) == []


def test_the_lock_of_a_dead_process_is_taken_over(
    reference: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    path, _ = reference
    process = start(path, tmp_path / "out")
    wait_for(tmp_path / "out", 1, process)
    process.kill()
    process.communicate()
    assert (tmp_path / "out" / "lock").exists()
    assert ginsim.study_status(tmp_path / "out")["holder"] == ""
    told = mend(path, tmp_path / "out")
    assert told[0].startswith(f"process {process.pid} on ")
    assert not (tmp_path / "out" / "lock").exists()


def test_only_one_of_many_gets_the_lock(tmp_path: Path) -> None:
    inside = 0
    seen: list[int] = []
    refused = 0

    def take() -> None:
        nonlocal inside, refused
        for _ in range(100):
            try:
                with locks.hold_lock(tmp_path / "lock"):
                    inside += 1
                    seen.append(inside)
                    time.sleep(0.0005)
                    inside -= 1
            except ginsim.StudyError:
                refused += 1

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(seen) == {1}
    assert len(seen) + refused == 400


# ---------------------------------------------------------------- the disk


@contextmanager
def small_disk(place: Path, size: str) -> Iterator[None]:
    """A disk of that size, where one may be mounted."""
    place.mkdir()
    options = ["-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
    if (
        shutil.which("mount") is None
        or subprocess.run(["mount", *options], capture_output=True, check=False).returncode
    ):
        pytest.skip("a small disk cannot be mounted here: that takes root's rights")
    try:
        yield
    finally:
        subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk_ends_the_run_and_spoils_nothing(
    reference: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    path, wanted = reference
    place = tmp_path / "disk"
    with small_disk(place, "160k"):
        folder = place / "out"
        process = start(path, folder, "--threads", "2")
        _, errors = process.communicate()
        assert process.returncode == 1, errors
        assert "No space left on device" in errors
        assert f"'{folder}/" in errors
        assert f"ginsim study resume {folder}" in errors
        assert "Traceback" not in errors
        part = snapshot(folder)
        assert 1 < len(part) < len(wanted)
        assert all(wanted[name] == data for name, data in part.items())
        subprocess.run(["mount", "-o", "remount,size=64m", str(place)], check=True)
        assert mend(path, folder) == []
        assert snapshot(folder) == wanted


def test_a_bound_on_the_size_of_files_spoils_nothing(
    reference: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    path, wanted = reference
    folder = tmp_path / "out"
    largest = max(len(data) for name, data in wanted.items() if name.startswith("tasks/"))
    process = start(path, folder)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (largest - 1, largest - 1))
    _, errors = process.communicate()
    assert process.returncode == 1, errors
    assert "File too large" in errors
    assert all(wanted[name] == data for name, data in snapshot(folder).items())
    assert mend(path, folder) == []
    assert snapshot(folder) == wanted


def make_folder(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.mkdir()


def test_what_is_in_the_way_is_named(
    reference: tuple[Path, dict[str, bytes]], folder: Path
) -> None:
    path, wanted = reference
    task = sorted((folder / "tasks").iterdir())[3]
    make_folder(task)
    for words in (["resume", str(folder)], ["run", str(path), "--folder", str(folder)]):
        result = CliRunner().invoke(main, ["study", *words])
        assert result.exit_code == 2, result.output
        assert f"'{task}' cannot be read: Is a directory" in result.output
        assert f"ginsim study resume {folder}" in result.output
    status = ginsim.study_status(folder)
    assert status["state"] == "unfinished"
    assert str(task) in status["problems"][0]
    task.rmdir()
    mend(path, folder)
    assert snapshot(folder) == wanted


@pytest.mark.parametrize("name", ["manifest.json", "run.log", "lock", "tables/ends.csv"])
def test_a_folder_in_the_place_of_a_file_is_named(
    reference: tuple[Path, dict[str, bytes]], folder: Path, name: str
) -> None:
    place = folder / name
    make_folder(place)
    result = CliRunner().invoke(main, ["study", "run", str(reference[0]), "--folder", str(folder)])
    assert result.exit_code in (1, 2), result.output
    assert isinstance(result.exception, SystemExit)
    assert f"'{place}' cannot be" in result.output
    assert "Is a directory" in result.output
    place.rmdir()
    mend(reference[0], folder)
    assert snapshot(folder) == reference[1]


def test_a_file_in_the_place_of_a_folder_is_named(
    reference: tuple[Path, dict[str, bytes]], folder: Path
) -> None:
    lose_tasks(folder)
    (folder / "tasks").write_text("mine")
    result = CliRunner().invoke(main, ["study", "resume", str(folder)])
    assert result.exit_code == 1
    assert f"'{folder / 'tasks'}' cannot be made: File exists" in result.output
    assert ginsim.study_status(folder)["state"] == "unfinished"
    (folder / "tasks").unlink()
    (problem,) = ginsim.study_status(folder)["problems"]
    assert problem.startswith("tasks is missing")
    (told,) = mend(reference[0], folder)
    assert told == problem
    assert snapshot(folder) == reference[1]


def test_tasks_that_are_removed_while_it_runs(
    reference: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    folder = tmp_path / "out"

    def remove(done: int, total: int) -> None:
        if done >= 4 and (folder / "tasks").is_dir():
            lose_tasks(folder)

    with pytest.raises(OSError, match="cannot be written: No such file") as caught:
        ginsim.run_study(reference[0], folder, threads=1, progress=remove)
    assert f"ginsim study resume {folder}" in str(caught.value)
    assert not (folder / "lock").exists()
    mend(reference[0], folder)
    assert snapshot(folder) == reference[1]


def test_a_disk_that_may_only_be_read(
    reference: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    path, wanted = reference
    place = tmp_path / "disk"
    with small_disk(place, "64m"):
        shutil.copytree(path.with_suffix(".study"), place / "out")
        (place / "out" / "tables" / "ends.csv").unlink()
        subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
        for name, words in (("out", "resume"), ("new", "run FILE --folder")):
            result = CliRunner().invoke(
                main, ["study", "run", str(path), "--folder", str(place / name)]
            )
            assert result.exit_code == 1, result.output
            assert f"'{place / name}" in result.output
            assert "Read-only file system" in result.output
            assert f"ginsim study {words} {place / name}" in result.output
        assert ginsim.study_status(place / "out")["state"] == "unfinished"
        subprocess.run(["mount", "-o", "remount,rw", str(place)], check=True)
        assert mend(path, place / "out") == []
        assert snapshot(place / "out") == wanted


def test_half_a_line_of_the_log_spoils_no_other(
    reference: tuple[Path, dict[str, bytes]], folder: Path
) -> None:
    with (folder / "run.log").open("a") as log:
        log.write('{"time": "2026-0')
    assert mend(reference[0], folder) == []
    last = (folder / "run.log").read_text().splitlines()
    assert [json.loads(line)["event"] for line in last[-2:]] == ["start", "end"]
    assert json.loads(last[-2])["study"] == ginsim.read_study(reference[0]).hash


# ---------------------------------------------------------------- executors


def test_threads_and_memory(reference: tuple[Path, dict[str, bytes]], tmp_path: Path) -> None:
    path, wanted = reference
    tables = ginsim.run_study(path, tmp_path / "out", threads=2)
    assert snapshot(tmp_path / "out") == wanted
    read = ginsim.read_tables(tmp_path / "out")
    assert read.keys() == tables.keys()
    for name, table in tables.items():
        written = f"tables/{name}.csv"
        assert wanted[written].decode() == table.to_csv(index=False, lineterminator="\n")
        assert read[name].shape == table.shape
    study = dict(ginsim.read_study(path).document)
    study["run"] = {
        name: {**run, "rows": False} if "rows" in run else run for name, run in study["run"].items()
    }
    kept = ginsim.run_study(study, threads=3)
    for name, table in kept.items():
        pd.testing.assert_frame_equal(table, tables[name], check_exact=True)


def test_records_are_those_of_the_frame(reference: tuple[Path, dict[str, bytes]]) -> None:
    folder = reference[0].with_suffix(".study")
    (row,) = ginsim.read_tables(folder)["why.rows"].to_dict("records")
    frame = ginsim.read_records(folder / "tables" / row["file"])
    wanted = ginsim.decisions("kawu", "greedy", 600, seed=11)
    pd.testing.assert_frame_equal(frame, wanted)
    assert frame.attrs == wanted.attrs
    assert row["rows"] == len(wanted)


def find_worker(folder: Path) -> int:
    """The process that played the last task."""
    lines = (folder / "run.log").read_text().splitlines()
    (*_, last) = (entry for entry in map(json.loads, lines) if entry["event"] == "task")
    assert last["pid"] != os.getpid()
    return int(last["pid"])


class Killer:
    """A progress that kills a worker after some tasks."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.killed = 0

    def __call__(self, done: int, total: int) -> None:
        if done >= 4 and not self.killed:
            self.killed = find_worker(self.folder)
            os.kill(self.killed, signal.SIGKILL)


def test_processes_and_one_of_them_killed(
    reference: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    path, wanted = reference
    killer = Killer(tmp_path / "out")
    ginsim.run_study(path, tmp_path / "out", processes=4, progress=killer)
    assert killer.killed
    assert snapshot(tmp_path / "out") == wanted
    assert '"event": "retry"' in (tmp_path / "out" / "run.log").read_text()


def test_processes_end_with_a_runner_that_is_killed(
    reference: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    process = start(reference[0], folder, "--processes", "2")
    wait_for(folder, 1, process)
    end = time.monotonic() + 60
    while '"event": "task"' not in (folder / "run.log").read_text():
        assert time.monotonic() < end
        time.sleep(0.01)
    worker = find_worker(folder)
    process.kill()
    process.communicate()
    while Path(f"/proc/{worker}").exists():
        assert time.monotonic() < end
        time.sleep(0.01)
    assert ginsim.study_status(folder)["holder"] == ""


def test_an_interrupt_while_workers_start_is_not_lost() -> None:
    blocked = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"
    answers = []

    def begin() -> None:
        with executors._hold_interrupts():
            signal.pthread_kill(threading.get_ident(), signal.SIGINT)
            # Those that are started now never get one.
            words = [sys.executable, "-c", blocked]
            started = subprocess.run(words, capture_output=True, check=True)
            answers.append(started.stdout.strip())

    with pytest.raises(KeyboardInterrupt):
        begin()
    assert answers == [b"True"]
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


#: Processes are started by a thread that inherits that Ctrl-C is held back, as Dask starts its own.
STARTING = """
import multiprocessing, signal, threading
from ginsim.studies.executors import _hold_interrupts

def ask(answers):
    answers.put(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))

def start(context, answers):
    for _ in range(2):
        context.Process(target=ask, args=(answers,)).start()

if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    with _hold_interrupts():
        answers = context.SimpleQueue()
        thread = threading.Thread(target=start, args=(context, answers))
        thread.start()
        thread.join()
    print(answers.get(), answers.get())
"""


def test_processes_of_a_thread_hold_interrupts_back(tmp_path: Path) -> None:
    # In a process of its own, where multiprocessing has started nothing yet.
    script = tmp_path / "starting.py"
    script.write_text(STARTING)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, check=True, text=True)
    assert done.stdout == "True True\n"


NEEDS_DASK = pytest.mark.skipif(
    find_spec("distributed") is None,
    reason="dask.distributed is not installed: pip install 'ginsim-rummy[cluster]', as CI does",
)


@NEEDS_DASK
def test_an_interrupt_of_the_terminal_leaves_no_traceback_of_workers(
    reference: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    path, _ = reference
    folder = tmp_path / "out"
    words = [str(path), "--folder", str(folder), "--cluster", "local", "--workers", "2"]
    process = subprocess.Popen(
        [sys.executable, "-m", "ginsim", "study", "run", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wait_for(folder, 3, process)
    # Ctrl-C is a signal to all processes of the terminal, not to the first of them alone.
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode == 130, errors
    assert f"ginsim study resume {folder}" in errors
    assert "Traceback" not in errors


@NEEDS_DASK
@pytest.mark.filterwarnings("default")
def test_a_dask_cluster_and_a_worker_killed(
    reference: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    from ginsim.studies.executors import open_cluster

    path, wanted = reference
    killer = Killer(tmp_path / "out")
    with open_cluster("local", workers=3) as executor:
        ginsim.run_study(path, tmp_path / "out", executor=executor, progress=killer)
    assert killer.killed
    assert snapshot(tmp_path / "out") == wanted


@pytest.mark.skipif(find_spec("distributed") is not None, reason="dask.distributed is installed")
def test_without_dask_it_is_said_what_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text(STUDY)
    result = CliRunner().invoke(main, ["study", "run", str(path), "--cluster", "local"])
    assert result.exit_code == 2
    assert "ginsim-rummy[cluster]" in result.output


class Flaky(Executor):
    """Plays at once, breaks now and then, and for ever if it is told so."""

    def __init__(self, failures: Iterator[BaseException | None]) -> None:
        self.failures = failures

    def submit(self, work: Any, /, *arguments: Any, **keys: Any) -> Future[Any]:
        future: Future[Any] = Future()
        failure = next(self.failures)
        if failure is None:
            future.set_result(work(*arguments, **keys))
        else:
            future.set_exception(failure)
        return future


def fail_at(*places: int, failure: BaseException) -> Iterator[BaseException | None]:
    number = 0
    while True:
        number += 1
        yield failure if number in places else None


def test_any_executor_and_its_failures(
    reference: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    path, wanted = reference
    made = []
    failures = fail_at(2, 3, 7, failure=BrokenExecutor("gone"))

    def make_one() -> Executor:
        made.append(Flaky(failures))
        return made[-1]

    ginsim.run_study(path, tmp_path / "a", executor=make_one)
    assert len(made) == 4
    assert snapshot(tmp_path / "a") == wanted

    lost = Flaky(fail_at(2, 5, failure=ConnectionResetError("lost")))
    ginsim.run_study(path, tmp_path / "b", executor=lost)
    assert snapshot(tmp_path / "b") == wanted

    with ThreadPoolExecutor(3) as threads:
        ginsim.run_study(path, tmp_path / "c", executor=threads)
        assert snapshot(tmp_path / "c") == wanted

    broken = Flaky(fail_at(3, failure=BrokenExecutor("gone")))
    with pytest.raises(ginsim.StudyError, match="the executor is broken"):
        ginsim.run_study(path, tmp_path / "d", executor=broken)
    assert 2 <= count_tasks(tmp_path / "d") <= 3
    assert mend(path, tmp_path / "d") == []
    assert snapshot(tmp_path / "d") == wanted


def test_a_task_is_given_up_after_its_retries(
    reference: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    lost = Flaky(fail_at(*range(1, 1000), failure=ConnectionResetError("lost")))
    with pytest.raises(ginsim.StudyError, match=r"its worker died 3 times \(lost\)"):
        ginsim.run_study(reference[0], tmp_path / "out", executor=lost, retries=2)


def test_an_error_of_a_task_is_no_death(
    reference: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    wrong = Flaky(fail_at(4, failure=ZeroDivisionError("oh")))
    with pytest.raises(ZeroDivisionError):
        ginsim.run_study(reference[0], tmp_path / "out", executor=wrong)
    assert not (tmp_path / "out" / "lock").exists()
    assert mend(reference[0], tmp_path / "out") == []
    assert snapshot(tmp_path / "out") == reference[1]


def test_no_worker_has_more_than_one_task_to_lose(
    reference: tuple[Path, dict[str, bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Tasks that were given out and are not written yet: never more than there are workers.
    given: set[str] = set()
    most = 0

    class Watching(ThreadPoolExecutor):
        def submit(self, work: Any, /, *arguments: Any, **keys: Any) -> Future[Any]:
            nonlocal most
            given.add(arguments[0].name)
            most = max(most, len(given))
            return super().submit(work, *arguments, **keys)

    save = store.Folder.save

    def watch(self: store.Folder, task: Any, *arguments: Any) -> None:
        save(self, task, *arguments)
        given.discard(task.name)

    monkeypatch.setattr(store.Folder, "save", watch)
    with Watching(3) as executor:
        ginsim.run_study(reference[0], tmp_path / "out", executor=executor)
    assert most == 3
    assert not given


# ---------------------------------------------------------------- parts


def test_parts_are_put_together(reference: tuple[Path, dict[str, bytes]], tmp_path: Path) -> None:
    path, wanted = reference
    places = [tmp_path / f"part{k}" for k in (1, 2, 3)]
    for k, place in enumerate(places, 1):
        assert ginsim.run_study(path, place, threads=2, part=(k, 3)) == {}
        assert not list((place / "tables").iterdir())
    total = sum(count_tasks(place) for place in places)
    assert total == len([name for name in wanted if name.startswith("tasks/")])
    assert min(count_tasks(place) for place in places) > total / 5

    result = CliRunner().invoke(main, ["study", "merge", str(tmp_path / "all"), str(places[0])])
    assert result.exit_code == 1, result.output
    assert "ginsim study resume" in result.output
    result = CliRunner().invoke(main, ["study", "merge", str(tmp_path / "all"), "--json"])
    assert result.exit_code == 1, result.output
    assert not json.loads(result.stdout)["is_finished"]
    words = ["study", "merge", str(tmp_path / "all"), *map(str, places[1:])]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    assert snapshot(tmp_path / "all") == wanted


def test_only_parts_of_the_same_study_are_put_together(
    reference: tuple[Path, dict[str, bytes]], folder: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    document = {**ginsim.read_study(reference[0]).document, "seed": 12}
    ginsim.run_study(document, other, part=(1, 100))
    with pytest.raises(ginsim.StudyError, match="holds another study"):
        ginsim.merge_studies(folder, [other])
    with locks.hold_lock(folder / "lock"), pytest.raises(ginsim.StudyError, match="being run by"):
        ginsim.merge_studies(tmp_path / "new", [folder])


def test_results_that_differ_are_not_trusted(
    reference: tuple[Path, dict[str, bytes]], folder: Path
) -> None:
    # A file that is whole in itself and says something else, as a wrong machine would write it.
    study = ginsim.read_study(reference[0])
    run = study.runs[0]
    task = kinds.KINDS["hands"].list_tasks(run, run.cells[0])[0]
    path = folder / "tasks" / f"{task.name}.csv"
    parts = taskfiles.decode(path.read_bytes(), task, "csv")
    parts[0]["turns"] += 1
    path.write_bytes(taskfiles.encode(parts, task, "csv"))
    with pytest.raises(ginsim.StudyError, match="has another result"):
        ginsim.merge_studies(reference[0].with_suffix(".study"), [folder])


# ---------------------------------------------------------------- formats and commands


def test_parquet(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="Parquet is an extra: CI has it")
    path = tmp_path / "study.toml"
    path.write_text('[output]\nformat = "parquet"\n' + STUDY.replace("title", "# title"))
    text = path.read_text()
    # TOML has tables after plain keys.
    path.write_text("seed = 11\n" + text.replace("seed = 11\n", ""))
    tables = ginsim.run_study(path, tmp_path / "a", threads=2)
    ginsim.run_study(path, tmp_path / "b", threads=1)
    assert snapshot(tmp_path / "a") == snapshot(tmp_path / "b")
    assert all(name.endswith((".parquet", ".json")) for name in snapshot(tmp_path / "a"))
    read = ginsim.read_tables(tmp_path / "a")
    for name, table in tables.items():
        pd.testing.assert_frame_equal(read[name], table, check_exact=True)
    wanted = snapshot(tmp_path / "a")
    tasks = sorted((tmp_path / "a" / "tasks").iterdir())
    tasks[0].write_bytes(tasks[0].read_bytes()[:-20])
    tasks[1].unlink()
    told = mend(path, tmp_path / "a")
    assert sorted(text.split()[0] for text in told) == [
        f"tasks/{task.name}" for task in sorted(tasks[:2])
    ]
    assert snapshot(tmp_path / "a") == wanted
    # A record that was changed by a program that writes whole files.
    from pyarrow import compute, parquet

    (records, *_) = (task for task in tasks if "turn" in parquet.read_schema(task).names)
    table = parquet.read_table(records)
    place = table.schema.get_field_index("turn")
    turns = compute.add(table["turn"], 1).cast(table.schema.field("turn").type)
    parquet.write_table(table.set_column(place, table.schema.field("turn"), turns), records)
    (text,) = mend(path, tmp_path / "a")
    assert text.startswith(f"tasks/{records.name} is cut off or changed: its SHA-256")
    lose_manifest(tmp_path / "a")
    other = tmp_path / "other.toml"
    other.write_text(path.read_text().replace("seed = 11", "seed = 12"))
    with pytest.raises(ginsim.StudyError, match="of another study or version"):
        mend(other, tmp_path / "a")
    assert mend(path, tmp_path / "a") == ["manifest.json is missing; it is written anew"]
    assert snapshot(tmp_path / "a") == wanted


def test_the_commands(reference: tuple[Path, dict[str, bytes]], tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text(STUDY)
    call = CliRunner().invoke
    result = call(main, ["study", "check", str(path)])
    assert result.exit_code == 0, result.output
    assert "Early or late" in result.output
    assert not path.with_suffix(".study").exists()
    result = call(main, ["study", "status", str(path)])
    assert "not begun" in result.output
    result = call(main, ["study", "resume", str(path)])
    assert result.exit_code == 2
    assert "does not exist" in result.output
    result = call(main, ["study", "run", str(path), "--part", "1/4"])
    assert result.exit_code == 0, result.output
    assert "part 1 of 4" in result.output
    result = call(main, ["study", "run", str(path), "--threads", "2"])
    assert result.exit_code == 0, result.output
    assert "who.verdicts" in result.output
    assert snapshot(path.with_suffix(".study")) == reference[1]
    result = call(main, ["study", "status", str(path)])
    assert "finished" in result.output
    path.write_text(STUDY.replace("seed = 11", "seed = 12"))
    assert "another study" in call(main, ["study", "status", str(path)]).output
    result = call(main, ["study", "resume", str(path)])
    assert result.exit_code == 2
    assert "holds another study" in result.output
    for words in (["run", str(path), "--folder", ""], ["merge", "", str(tmp_path)]):
        result = call(main, ["study", *words])
        assert result.exit_code == 2, result.output
        assert "'' is not allowed; allowed: the path of a folder" in result.output
    for words in (
        ["--part", "5/4"],
        ["--workers", "2"],
        ["--cluster", "local", "--threads", "1"],
        ["--threads", "1", "--processes", "1"],
    ):
        result = call(main, ["study", "run", str(path), "--folder", str(tmp_path / "x"), *words])
        assert result.exit_code == 2, result.output
        assert "allowed" in result.output


def test_progress_is_told_task_by_task(reference: tuple[Path, dict[str, bytes]]) -> None:
    seen: list[tuple[int, int]] = []
    study = {"seed": 1, "run": {"x": {"kind": "hands", "rules": "kawu", "hands": 500, "task": 100}}}
    ginsim.run_study(study, threads=1, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(number, 5) for number in range(6)]


def test_progress_in_a_log_has_rate_and_time_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    moments = iter([100.0, 100.0, 150.0, 170.0, 240.0])
    monkeypatch.setattr("ginsim.cli.progress.time.monotonic", lambda: next(moments))
    with progress.show_progress("tasks", is_long=True) as update:
        assert update is not None
        update(1000, 8000)  # done in a run before
        update(1100, 8000)  # too soon for a line
        update(1140, 8000)
        update(1700, 8000)
    # 140 in 70 seconds, then 700 in 140: 6860 at 2 a second, 6300 at 5 a second.
    assert capsys.readouterr().err.splitlines() == [
        "1,140 of 8,000 tasks, 2.0/s, 57.2 min left",
        "1,700 of 8,000 tasks, 5.0/s, 21.0 min left",
    ]
