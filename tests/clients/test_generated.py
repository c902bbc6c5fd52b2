"""The client's generated files follow from the contract and from the async client; its names are those of the contract."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from pocha_client import AsyncPocha, Pocha
from pocha_client.errors import BY_CODE
from service.rest.errors import ErrorCode

GENERATOR = Path(__file__).parents[2] / "clients" / "python" / "generate.py"


def generated() -> dict[Path, str]:
    spec = importlib.util.spec_from_file_location("generate_client", GENERATOR)
    assert spec
    assert spec.loader
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.generated()


@pytest.mark.parametrize("name", ["models.py", "blocking.py"])
def test_a_generated_file_is_as_generated(name: str) -> None:
    [(path, text)] = [(path, text) for path, text in generated().items() if path.name == name]
    assert path.read_text(encoding="utf-8") == text, "run `make docs`"


def test_both_clients_can_do_the_same() -> None:
    def names(of: type) -> set[str]:
        return {name for name in vars(of) if not name.startswith("_")}

    assert names(Pocha) == {"close" if name == "aclose" else name for name in names(AsyncPocha)}


def test_every_class_of_an_error_stands_for_a_code_of_the_service() -> None:
    assert set(BY_CODE) <= {code.code for code in ErrorCode}
