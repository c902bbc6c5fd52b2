"""Content negotiation by Accept and Accept-Language."""

import pytest

from service.rest.negotiation import best_language, best_media_type

LANGUAGES = ("en", "es", "fr", "de")
FORMATS = ("application/json", "text/csv", "text/html")


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("es", "es"),
        ("es-MX", "es"),
        ("ES-mx", "es"),
        ("fr-CA, en;q=0.9", "fr"),
        ("pt, de;q=0.5, fr;q=0.7", "fr"),
        ("de;q=0.5,es;q=0.5", "de"),
        ("en-GB;q=0.1, es;q=0.2", "es"),
        ("es;q=0.9, es-MX;q=0.1, de;q=0.5", "es"),
        ("*", "en"),
        ("de;q=0.3, *;q=0.1", "de"),
        ("en;q=0, *", "es"),
        ("es;q=0, en;q=0, *;q=0.5", "fr"),
        ("ja, zh-Hant;q=0.8", "en"),
        ("en;q=0", "en"),
        ("est, deu, enx", "en"),
        ("fr;q=2, de;q=x, es;q=0.1", "es"),
        ("fr;q=0.1234, es;q=0.1", "fr"),
        (" fr ; q=1.000 , es;q=0.999", "fr"),
        (";;;,,,q=1,=;q=", "en"),
        ("es;level=1;q=0.5, de;q=0.4", "es"),
        ("," * 10_000, "en"),
        ("es," + "de;q=0.9," * 2_000, "es"),
    ],
)
def test_the_preferred_language_is_chosen(header: str, language: str) -> None:
    assert best_language(header, LANGUAGES) == language


@pytest.mark.parametrize(
    ("header", "chosen"),
    [
        ("", "application/json"),
        ("*/*", "application/json"),
        ("application/*", "application/json"),
        ("text/*", "text/csv"),
        ("TEXT/HTML", "text/html"),
        ("text/html;charset=utf-8", "text/html"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html"),
        ("text/csv;q=0.5, text/html;q=0.6", "text/html"),
        ("text/csv, application/json", "text/csv"),
        ("text/*;q=0.5, text/csv;q=0.1, application/json;q=0.2", "text/html"),
        ("application/json;q=0, */*", "text/csv"),
        ("image/png, text/html;q=0.001", "text/html"),
        ("image/png", None),
        ("*/*;q=0", None),
        ("text/html;q=0", None),
        ("text", None),
        ("text/html;level=1;q=0.9, text/csv;q=0.8", "text/html"),
    ],
)
def test_the_preferred_media_type_is_chosen(header: str, chosen: str | None) -> None:
    assert best_media_type(header, FORMATS) == chosen
