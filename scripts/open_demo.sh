#!/usr/bin/env bash
# Opens QGIS on a copy of the sample's project where there is a screen, in a profile of its own with this plugin enabled.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# QGIS writes into the GeoPackages that it edits and beside the project: never where the sample ships.
SAMPLE=sample
COPY=build/demo/sample
PROFILE=$PWD/build/profile
LOG=$PWD/build/qgis.log

if [ ! -d "$COPY" ] || [ -n "$(find "$SAMPLE" -type f -newer "$COPY" -print -quit)" ]; then
    rm -rf "$COPY"
    mkdir -p "$COPY"
    cp "$SAMPLE"/* "$COPY"
    touch "$COPY"
fi

if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    echo "There is no screen here, so QGIS is not opened. Elsewhere this command also opens $COPY/sample.qgz."
    exit 0
fi

home=$PROFILE/profiles/default
mkdir -p "$home/python/plugins" "$home/QGIS"
ln -sfn "$PWD" "$home/python/plugins/village_petition"
for settings in QGIS3.ini QGIS4.ini; do
    [ -e "$home/QGIS/$settings" ] ||
        printf '[PythonPlugins]\nvillage_petition=true\nprocessing=true\n' >"$home/QGIS/$settings"
done

# QGIS runs the system's Python; what the system lacks (shapely 2 beside QGIS 3.22) lies in the venv.
packages=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
PYTHONNOUSERSITE=1 PYTHONPATH=$packages${PYTHONPATH:+:$PYTHONPATH} setsid nohup \
    qgis --profiles-path "$PROFILE" --profile default --nologo --noversioncheck "$PWD/$COPY/sample.qgz" \
    >"$LOG" 2>&1 </dev/null &
echo "QGIS is opening on $COPY/sample.qgz. Its messages go to build/qgis.log."
