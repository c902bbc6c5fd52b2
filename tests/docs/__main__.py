"""Writes the generated parts of the documentation: `make docs`."""

from tests.docs.pages import generated

if __name__ == "__main__":
    for path, text in generated():
        path.write_text(text, encoding="utf-8")
