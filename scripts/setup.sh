#!/usr/bin/env bash
# Installs what the plugin needs on Debian or Ubuntu and makes .venv; done already, it says so and ends at once.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The spatial libraries come from the system that built QGIS: one GDAL and one PROJ in a process.
PACKAGES=(
    qgis python3-qgis python3-geopandas python3-fiona python3-pyproj python3-shapely python3-jinja2
    python3-venv python3-jsonschema proj-data fonts-dejavu-core xvfb xauth ca-certificates
)
# QGIS 3.22 is built with shapely 1; this version's GEOS is its own and harms nothing beside the system's.
SHAPELY="shapely==2.1.2"
# Annotations for the type checker, the same everywhere; the numpy that runs is the system's.
NUMPY_TYPES="numpy==1.24.4"
PYTHON=/usr/bin/python3
VENV=.venv
# What a person installed under their home is not what the checks are to see.
export PYTHONNOUSERSITE=1
STAMP=$VENV/setup.stamp

say() { printf 'setup: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

fingerprint() {
    { cat scripts/setup.sh scripts/dev-requirements.txt; pwd; "$PYTHON" --version; dpkg-query -W -f '${Version}' qgis; } \
        2>/dev/null | sha256sum | cut -d ' ' -f 1
}

missing_packages() {
    local name
    for name in "${PACKAGES[@]}"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null || true)" = installed ] || printf '%s\n' "$name"
    done
}

quietly() {
    local log
    log=$(mktemp)
    if ! "$@" >"$log" 2>&1; then
        tail -n 40 "$log" >&2
        rm -f "$log"
        fail "this failed: $*"
    fi
    rm -f "$log"
}

python_says() { "$PYTHON" -c "$1" 2>/dev/null; }

install_packages() {
    local missing
    mapfile -t missing < <(missing_packages)
    [ "${#missing[@]}" -gt 0 ] || return 0
    command -v apt-get >/dev/null || fail "this recipe knows Debian and Ubuntu only; install QGIS 3.22 or newer and the" \
        "Python packages of its system: geopandas, fiona, pyproj, shapely 2"
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail "only root can install what is missing: apt-get install ${missing[*]}"
        as_root=(sudo)
    fi
    say "installing ${missing[*]} (this takes a few minutes the first time)"
    # A source that a person added and that does not answer need not stop the rest.
    "${as_root[@]}" apt-get update >/dev/null 2>&1 || say "apt-get update failed, going on with the lists as they are"
    quietly "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
}

check_versions() {
    python_says 'import geopandas, sys; sys.exit(tuple(map(int, geopandas.__version__.split(".")[:2])) < (0, 12))' ||
        fail "the system's geopandas is older than 0.12: Debian 12, Ubuntu 24.04 or newer is needed"
}

venv_is_ours() {
    # A folder that was moved, or a Python that was upgraded, leaves a venv that only looks right.
    local ask='import sys; print(sys.prefix, sys.version)'
    [ -x "$VENV/bin/python" ] || return 1
    [ "$("$VENV/bin/python" -c "$ask" 2>/dev/null)" = "$PWD/$VENV $(python_says 'import sys; print(sys.version)')" ]
}

make_venv() {
    local wanted qgis
    if ! venv_is_ours; then
        say "making $VENV"
        rm -rf "$VENV"
        quietly "$PYTHON" -m venv --system-site-packages "$VENV"
    fi
    # Inside a venv pyproj looks for PROJ's data in the venv.
    mkdir -p "$VENV/share"
    [ ! -d /usr/share/proj ] || ln -sfn /usr/share/proj "$VENV/share/proj"

    if python_says 'import shapely, sys; sys.exit(int(shapely.__version__.split(".")[0]) >= 2)'; then
        pip_install --no-deps "$SHAPELY"
    fi
    wanted=(-r scripts/dev-requirements.txt)
    qgis=$(dpkg-query -W -f '${Version}' qgis | sed 's/^[0-9]*://')
    if dpkg --compare-versions "$qgis" lt 3.34; then
        wanted+=("pytest-qgis==2.1.0")
    else
        wanted+=("pytest-qgis==5.0.2")
    fi
    pip_install "${wanted[@]}"
    rm -rf "$VENV/types"
    pip_install --target "$VENV/types" --python-version 3.11 --only-binary=:all: --no-deps "$NUMPY_TYPES"
}

pip_install() {
    quietly "$VENV/bin/python" -m pip install --quiet --disable-pip-version-check --no-input "$@"
}

if [ -x "$VENV/bin/python" ] && [ "$(cat "$STAMP" 2>/dev/null)" = "$(fingerprint)" ] && [ -z "$(missing_packages)" ]; then
    exit 0
fi
install_packages
check_versions
make_venv
fingerprint >"$STAMP"
say "ready: $VENV/bin/python"
