"""Wishes are granted in the background, the latest first, and those that are dropped never."""

from __future__ import annotations

import threading

from workbench.run.worker import Worker


def test_the_latest_wish_is_the_first_to_be_granted_and_dropped_ones_never_are() -> None:
    worker, begun, go_on, order = Worker(), threading.Event(), threading.Event(), list[str]()

    def first() -> None:
        begun.set()
        go_on.wait(60)

    worker.ask("first", first)
    assert begun.wait(60)
    for name in ("a", "b", "c"):
        worker.ask(name, lambda name=name: order.append(name))  # type: ignore[misc]
    worker.drop("b")
    worker.ask("a", lambda: order.append("a again"))
    go_on.set()
    worker.join()
    assert order == ["a again", "c"]
    assert [answer.key for answer in worker.take()] == ["first", "a", "c"]
    assert not worker.is_busy


def test_what_is_under_way_is_not_asked_for_again_and_its_answer_can_be_forgotten() -> None:
    worker, begun, go_on, n_calls = Worker(), threading.Event(), threading.Event(), list[int]()

    def slow() -> int:
        n_calls.append(1)
        begun.set()
        go_on.wait(60)
        return 42

    worker.ask("slow", slow)
    assert begun.wait(60)
    worker.ask("slow", slow)
    worker.ask("later", slow)
    worker.forget()
    go_on.set()
    worker.join()
    assert worker.take() == []
    assert len(n_calls) == 1


def test_an_error_is_an_answer() -> None:
    worker = Worker()
    worker.ask("wrong", lambda: 1 / 0)
    worker.join()
    (answer,) = worker.take()
    assert isinstance(answer.error, ZeroDivisionError)
