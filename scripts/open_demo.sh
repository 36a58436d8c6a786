#!/usr/bin/env bash
# Opens QGIS on the sample's project where there is a screen, in a profile of its own with this plugin enabled.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

PROJECT=sample/sample.qgz
PROFILE=$PWD/build/profile
LOG=$PWD/build/qgis.log

if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    echo "There is no screen here, so QGIS is not opened. Elsewhere this command also opens $PROJECT."
    exit 0
fi

home=$PROFILE/profiles/default
mkdir -p "$home/python/plugins" "$home/QGIS"
ln -sfn "$PWD" "$home/python/plugins/village_petition"
for settings in QGIS3.ini QGIS4.ini; do
    [ -e "$home/QGIS/$settings" ] ||
        printf '[PythonPlugins]\nvillage_petition=true\n' >"$home/QGIS/$settings"
done

# QGIS runs the system's Python; what the system lacks (shapely 2 beside QGIS 3.22) lies in the venv.
packages=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
PYTHONNOUSERSITE=1 PYTHONPATH=$packages${PYTHONPATH:+:$PYTHONPATH} setsid nohup \
    qgis --profiles-path "$PROFILE" --profile default --nologo --noversioncheck "$PWD/$PROJECT" \
    >"$LOG" 2>&1 </dev/null &
echo "QGIS is opening on $PROJECT. Its messages go to build/qgis.log."
