"""Nothing in the repository is a key to anything, and every exception to the linter's rules of security has its reason."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KEYS = {
    "private key": r"-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[A-Za-z0-9+/=]{16}",
    "API key of ours": r"\bpocha_[0-9a-f]{16}_[0-9a-f]{64}\b",
    "token": r"\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{20,}",
    "cloud key": r"\b(AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[\w-]{35}\b",
    "token of a forge": r"\b(gh[pousr]_\w{30,}|github_pat_\w{30,}|glpat-[\w-]{20})",
    "token of a registry": r"\b(npm_\w{36}|pypi-[\w-]{40,})",
    "token of a messenger": r"\bxox[abprs]-[\w-]{10,}|\bhooks\.slack\.com/services/\w+",
    "key of a payment service": r"\b[rs]k_live_\w{16,}",
    "password in an address": r"\b(?:postgres(?:ql)?|rediss?|https?)://[\w.%-]*:(?P<password>[^\s/@'\"{}$<>:]{3,})@",
}
HARMLESS = re.compile(r"[A-Z_]+|\.\.\.|\*+|pw|pass|password|secret|pocha|hunter(2|%402)|sesame|dev-only-password")
"""Passwords that are none: place holders of documents, of tests, and of the overlay that is for nobody but whoever tries it."""
EXAMPLES = {
    "private key": "-----BEGIN PRIVATE KEY-----\n" + "MIIEvQIBADANBgkq",
    "API key of ours": f"pocha_{'0' * 16}_{'a' * 64}",
    "token": f"eyJ{'h' * 20}.eyJ{'c' * 20}.{'s' * 43}",
    "cloud key": f"AKIA{'A' * 16}",
    "token of a forge": f"ghp_{'x' * 36}",
    "token of a registry": f"npm_{'x' * 36}",
    "token of a messenger": f"xoxb-{'1' * 12}",
    "key of a payment service": f"sk_live_{'x' * 24}",
    "password in an address": f"postgresql://pocha:{'Tr0ub4dor'}@db/pocha",
}
EXCEPTION = re.compile(r"# noqa: [A-Z0-9, ]*\bS\d{3}\b(.*)")


def keys_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield what looks like a key, with its kind."""
    for kind, pattern in KEYS.items():
        for hit in re.finditer(pattern, text):
            if not HARMLESS.fullmatch(hit.groupdict().get("password", "-")):
                yield kind, hit[0]


def committed() -> Iterator[Path]:
    """Yield the files that are, or would be, committed; as a bare folder, all but what the tools make."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("there is no git here to say what is committed")
    for name in listed.stdout.decode().split("\0")[:-1]:
        path = ROOT / name
        if path.is_file() and not path.is_symlink():
            yield path


def test_no_file_holds_a_key() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {kind}: {key[:60]}"
        for path in committed()
        for kind, key in keys_in(path.read_bytes().decode("utf-8", "replace"))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("kind", KEYS)
def test_a_key_would_be_found(kind: str) -> None:
    assert [found for found, _ in keys_in(f'SECRET = "{EXAMPLES[kind]}"')] == [kind]


def test_every_exception_to_a_rule_of_security_has_a_reason() -> None:
    reasons = [
        (path.name, said)
        for folder in ("service", "domain")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for said in EXCEPTION.findall(path.read_text(encoding="utf-8"))
    ]
    assert reasons
    for file, said in reasons:
        assert re.fullmatch(r" - \S.{6,}", said), f"{file}: {said!r}"
