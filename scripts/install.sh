#!/bin/sh
# Install a lock file into a virtual environment, which is made if it is not there, and this project beside it.
#     scripts/install.sh PYTHON VENV LOCK
# Needs one of: Python's ensurepip (Debian and Ubuntu keep it in the package python3-venv), pip, uv.
set -eu
python=$1 venv=$2 lock=$3

complain() {
    echo "pocha: $1" >&2
    exit 1
}

has() {
    $python -c "import $1" 2>/dev/null
}

$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
    complain "Python 3.11 or newer is needed, and \`$python\` is not: install it, or name it with: make run PYTHON=/path/to/python3"

if command -v uv >/dev/null 2>&1; then
    export UV_SYSTEM_CERTS="${UV_SYSTEM_CERTS:-1}" UV_NATIVE_TLS="${UV_NATIVE_TLS:-1}" # as pip does; the older uv knows the second
    test -x "$venv/bin/python" || uv venv -q --python "$($python -c 'import sys; print(sys.executable)')" "$venv"
    install() { uv pip install -q --python "$venv/bin/python" "$@"; }
elif has ensurepip && has venv; then
    "$venv/bin/python" -m pip --version >/dev/null 2>&1 || $python -m venv --clear "$venv"
    install() { "$venv/bin/python" -m pip install -q --disable-pip-version-check "$@"; }
elif has pip && has venv; then
    test -x "$venv/bin/python" || $python -m venv --without-pip "$venv"
    install() { $python -m pip --python "$venv/bin/python" install -q --disable-pip-version-check "$@"; }
else
    complain "this Python cannot make a virtual environment with pip in it.
On Debian and Ubuntu:  sudo apt install python3-venv
and then the same command again. uv or python3-pip will do as well."
fi

echo "== setting up $venv from $lock (once; about half a minute)"
# The lock names everything that is needed, and not all that the packages say they need.
install --no-deps --require-hashes -r "$lock"
install --no-deps --no-build-isolation -e .
