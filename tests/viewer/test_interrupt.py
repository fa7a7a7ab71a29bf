import gc  # of viewer.timeline
import os
import signal
import threading
import weakref

import pytest

from viewer.timeline import interruptible

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are POSIX")


@pytest.fixture(autouse=True)
def _ctrl_c_as_in_a_terminal():
    """A shell starts what runs in the background with Ctrl-C ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


class Thing:
    pass


def press():
    os.kill(os.getpid(), signal.SIGINT)


def test_ctrl_c_in_a_callback_of_the_collector_is_not_lost():
    """It was: printed as ignored, and the run went on for ever."""
    frames = 0
    thing = Thing()
    ref = weakref.ref(thing, lambda _: press())
    with pytest.raises(KeyboardInterrupt), interruptible() as end_if_asked:  # noqa: PT012
        del thing
        gc.collect()
        assert ref() is None
        frames += 1
        end_if_asked()
        frames += 1
    assert frames == 1


def test_the_second_ctrl_c_does_not_wait_and_the_handler_comes_back():
    told = []
    with pytest.raises(KeyboardInterrupt), interruptible():  # noqa: PT012
        press()
        told.append("one")
        press()
        told.append("two")
    assert told == ["one"]
    before = signal.getsignal(signal.SIGINT)
    with interruptible():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before


def test_outside_the_main_thread_nothing_changes():
    seen = []

    def block():
        with interruptible() as end_if_asked:
            end_if_asked()
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=block)
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGINT)]
