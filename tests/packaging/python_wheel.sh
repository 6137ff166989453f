#!/usr/bin/env bash
# python_wheel.sh BUILD: the wheel, built from our build folder, installs into an empty environment without network access,
# brings every library that it needs, and the installed package and its command can simulate.
set -euo pipefail
unset PYTHONPATH LD_LIBRARY_PATH
build=$(cd "$1" && pwd)
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$build/packaging/wheel
rm -rf "$work"
mkdir -p "$work/numpy"
cd "$source"
SINEW_BUILD=$build /usr/bin/python3 -m pip wheel --quiet --no-index --no-deps --no-build-isolation --wheel-dir "$work" .
/usr/bin/python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --no-index --no-deps "$work"/sinew-*.whl
# numpy, its only dependency, cannot be downloaded: the system's
ln -s "$(/usr/bin/python3 -c 'import numpy; print(numpy.__path__[0])')" "$work/numpy/numpy"
cd "$work"
PYTHONPATH=$work/numpy venv/bin/python - "$source/models/cradle.xml" <<'PYTHON'
import importlib.metadata
import re
import sys

import sinew

assert sinew.__file__.startswith(sys.prefix), sinew.__file__
with open("/proc/self/maps") as maps:
    loaded = {line.split()[-1] for line in maps if ".so" in line}
ours = {path for path in loaded if path.startswith(sys.prefix)}
assert any("/sinew/libs/" in path for path in ours), ours
system = re.compile(r".*/(ld-linux.*|libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+)[.-].*")
python = re.compile(r".*(/python3|/numpy/|/libpython|libz\.|libexpat|libblas|liblapack|libgfortran|libquadmath|libbz2|liblzma|libffi|libcrypto|libssl).*")
foreign = [path for path in loaded - ours if not system.match(path) and not python.match(path)]
assert not foreign, f"libraries that another machine may not have: {foreign}"
model = sinew.MjModel.from_xml_path(sys.argv[1])
data = sinew.MjData(model)
sinew.mj_step(model, data, nstep=100)
assert data.time > 0
assert importlib.metadata.version("sinew") == sinew.__version__
PYTHON
for command in "venv/bin/python -m sinew" venv/bin/sinew; do
  PYTHONPATH=$work/numpy $command run "$source/models/cradle.xml" --time 0.1 >/dev/null
done
if env -i ldd venv/lib/python3*/site-packages/sinew/bin/sinew | grep -v "$work" | grep -E "embree|libfmt|qhull|tinyobj|lodepng|libtbb"; then
  echo "the command uses libraries that the wheel does not bring" >&2
  exit 1
fi
