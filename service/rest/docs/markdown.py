"""Renders Markdown (CommonMark with tables) to HTML. Raw HTML is escaped, except for comments, which are dropped, and anchors."""

import html
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

ResolveLink = Callable[[str], str]
"""Turns the target of a link, as written in the file, into the target in the page."""

_ANCHOR = re.compile(r'<a id="([a-z0-9-]+)">')
_COMMENT = re.compile(r"\s*<!--.*-->\s*", re.DOTALL)
_NOT_IN_SLUG = re.compile(r"[^\w\- ]")


class Heading(NamedTuple):
    """A heading: its level from 1, the id that links point to, and its text."""

    level: int
    anchor: str
    text: str


class Rendered(NamedTuple):
    """A rendered page: HTML of its body, and its headings in order."""

    body: str
    headings: Sequence[Heading]


def parse(text: str) -> Sequence[Token]:
    """Return the tokens of a Markdown text."""
    return _PARSER.parse(text)


def render(text: str, resolve: ResolveLink) -> Rendered:
    """Return `text` as HTML; `resolve` maps the target of each link."""
    tokens = parse(text)
    headings = _number_headings(tokens)
    for token in tokens:
        for part in token.children or ():
            if part.type == "link_open":
                part.attrSet("href", resolve(str(part.attrGet("href"))))
    return Rendered(_PARSER.renderer.render(tokens, _PARSER.options, {}), headings)


def _number_headings(tokens: Sequence[Token]) -> list[Heading]:
    """Give each heading its id, and return them all."""
    found: list[Heading] = []
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            heading = _heading(int(opening.tag[1]), inline)
            opening.attrSet("id", heading.anchor)
            found.append(heading)
    return found


def _heading(level: int, inline: Token) -> Heading:
    """Return a heading. An anchor in it becomes its id."""
    children = inline.children or []
    written = next((match[1] for part in children if (match := _ANCHOR.fullmatch(part.content))), None)
    inline.children = [part for part in children if not _is_anchor(part)]
    text = "".join(part.content for part in inline.children if part.type in {"text", "code_inline"}).strip()
    return Heading(level, written or slug(text), text)


def _is_anchor(part: Token) -> bool:
    return part.type == "html_inline" and (part.content == "</a>" or _ANCHOR.fullmatch(part.content) is not None)


def slug(text: str) -> str:
    """Return the id of a heading with this text, as GitHub makes it."""
    return _NOT_IN_SLUG.sub("", text.lower()).replace(" ", "-")


def _raw(_renderer: RendererHTML, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    """Drop comments, keep anchors, escape all other HTML."""
    token = tokens[index]
    if _COMMENT.fullmatch(token.content):
        return ""
    return token.content if _is_anchor(token) else html.escape(token.content)


def _table_open(_renderer: RendererHTML, _tokens: Sequence[Token], _index: int, _options: Any, _env: Any) -> str:
    return '<div class="wide" role="region" aria-label="Table" tabindex="0"><table>\n'


def _table_close(_renderer: RendererHTML, _tokens: Sequence[Token], _index: int, _options: Any, _env: Any) -> str:
    return "</table></div>\n"


def _fence(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    """Render code. A diagram's source is folded away: pages run no script that could draw it."""
    code = renderer.fence(tokens, index, options, env).replace("<pre>", '<pre tabindex="0">')
    if tokens[index].info == "mermaid":
        return f"<details><summary>Diagram (Mermaid source)</summary>{code}</details>\n"
    return code


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table")
    for name, rule in (
        ("html_block", _raw),
        ("html_inline", _raw),
        ("table_open", _table_open),
        ("table_close", _table_close),
        ("fence", _fence),
    ):
        parser.add_render_rule(name, rule)
    return parser


_PARSER = _parser()
