#!/usr/bin/env bash
# python_wheel.sh BUILD: the wheel, built from our build folder, installs into a fresh environment without network
# access, and the installed package can simulate.
set -euo pipefail
unset PYTHONPATH
build=$(cd "$1" && pwd)
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$build/packaging/wheel
rm -rf "$work"
mkdir -p "$work"
cd "$source"
SINEW_BUILD=$build /usr/bin/python3 -m pip wheel --quiet --no-index --no-deps --no-build-isolation --wheel-dir "$work" .
/usr/bin/python3 -m venv --system-site-packages "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --no-index --no-deps "$work"/sinew-*.whl
cd "$work"
venv/bin/python - "$source/models/cradle.xml" <<'PYTHON'
import importlib.metadata
import sys

import sinew

assert sinew.__file__.startswith(sys.prefix), sinew.__file__
model = sinew.MjModel.from_xml_path(sys.argv[1])
data = sinew.MjData(model)
sinew.mj_step(model, data, nstep=100)
assert data.time > 0
assert importlib.metadata.version("sinew") == sinew.__version__
PYTHON
