"""Contact sequences as tests: what pytest loads of this distribution.

It adds two fixtures and an option, and does nothing in a suite that does not use them;
what they need is imported when they are first asked for.  See docs/testing.md.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from sim.story.testing.expectation import Expectation
    from sim.story.testing.golden import ContactRegression


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option; those that write golden files are of pytest-regressions."""
    parser.getgroup("wingedge", "contact sequences").addoption(
        "--contact-picture",
        action="store_true",
        help="Draw the first frame that differs from a golden file.",
    )


@pytest.fixture
def contact_regression(request: pytest.FixtureRequest) -> "ContactRegression":
    """Compare contacts with a golden file: contact_regression.check(world.run(90))."""
    from sim.story.testing.golden import ContactRegression

    return ContactRegression(request)


@pytest.fixture
def expect_contacts(
    request: pytest.FixtureRequest,
) -> "Iterator[Callable[[str], Expectation]]":
    """Expect contacts: expect_contacts("begin a/b VF * * ; ... ; end").of(frames)."""
    from sim.story.testing.expectation import Expectation

    failed, made = request.session.testsfailed, list[Expectation]()

    def expect(text: str) -> Expectation:
        __tracebackhide__ = True  # pytest shows the line of the test
        made.append(Expectation.parse(text))
        return made[-1]

    yield expect
    unasked = [one.text for one in made if not one.asked]
    if unasked and request.session.testsfailed == failed:
        pytest.fail(
            f"expect_contacts({unasked[0]!r}) was compared with nothing; write "
            "expect_contacts(...).of(world.run(90))",
            pytrace=False,
        )
