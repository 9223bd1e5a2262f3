"""The page of the kernel is true: its lines of code play a discard as they say."""

import doctest
from pathlib import Path

import app.kernel
from app.kernel import views
from app.kernel.play import shuffle
from app.kernel.play.commands import Act
from app.kernel.variant import Setup
from app.variants import VARIANTS

PAGE = Path(app.kernel.__file__).parent / "README.md"


def test_the_code_on_the_page_runs() -> None:
    names = {"VARIANTS": VARIANTS, "shuffle": shuffle, "views": views, "Act": Act, "Setup": Setup}
    test = doctest.DocTestParser().get_doctest(PAGE.read_text(encoding="utf-8"), names, PAGE.name, str(PAGE), 0)
    assert len(test.examples) > 10
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=report.append)
    assert report == []
