"""A variant is a folder and one line: every folder of `app/variants` is registered, under its own name."""

from pathlib import Path

import app.variants
from app.kernel.variant import Variant
from app.variants import VARIANTS

HERE = Path(app.variants.__file__).parent


def test_every_folder_is_registered_by_one_line() -> None:
    folders = {path.parent.name for path in HERE.glob("*/__init__.py")}
    assert set(VARIANTS) == folders
    lines = (HERE / "__init__.py").read_text(encoding="utf-8").splitlines()
    for slug in folders:
        assert len([line for line in lines if slug in line]) == 1


def test_a_variant_goes_by_the_name_of_its_folder_and_has_its_rules_beside_it() -> None:
    for slug, variant in VARIANTS.items():
        assert isinstance(variant, Variant) and variant.meta.slug == slug
        assert (HERE / slug / "RULES.md").is_file()
