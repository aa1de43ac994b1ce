# Sourced by the other scripts: makes .venv with the package and an extra (first argument, may be
# empty) if it is not there or pyproject.toml has changed, and sets $bin to its commands.
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
bin="$root/.venv/bin"

environment() {
    local extra="$1" stamp="$root/.venv/installed-${1:-package}"
    # The stamp says where it was made: a virtual environment cannot be moved.
    if [ ! "$root/pyproject.toml" -nt "$stamp" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$root" ]; then
        return
    fi
    local python="${PYTHON:-python3}"
    if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        local found; found="$("$python" --version 2>&1 | head -n 1 || true)"
        echo "Python 3.11 or newer is needed: set PYTHON to one (found: $found)" >&2
        exit 2
    fi
    echo "Setting up .venv (about a minute) ..." >&2
    # A first try without python3-venv leaves a .venv without pip.
    if ! "$bin/python" -m pip --version >/dev/null 2>&1 && ! "$python" -m venv "$root/.venv"; then
        echo "$python cannot make virtual environments: install its venv module (python3-venv)" >&2
        exit 2
    fi
    "$bin/python" -m pip install --quiet --disable-pip-version-check \
        --editable "$root${extra:+[$extra]}"
    echo "$root" >"$stamp"
}
