#!/usr/bin/env bash
# packages.sh SOURCE: the packages of ./dev package install into an empty root, an example compiles and runs against them, the
# command, its manual page and the Python package work there, and removing them leaves nothing behind. The root is an
# overlay of this system: what they depend on is there, sinew is not. The archive works from any folder.
# Exit code 77 (skipped): there are no packages, or this user may not make a root.
set -euo pipefail
source=$(cd "$1" && pwd)
packages=$source/build/package
compgen -G "$packages/*.deb" >/dev/null || { echo "no packages: run ./dev package" && exit 77; }
[[ $EUID == 0 ]] || { echo "needs root" && exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A root of its own: the files of each package in one folder, and dpkg's database beside it.
root=$work/root
mkdir -p "$root/var/lib/dpkg/"{info,updates,triggers}
touch "$root/var/lib/dpkg/"{status,available}
in_root() { dpkg --root="$root" --force-depends --force-not-root --force-script-chrootless --log=/dev/null "$@"; }
before=$(cd "$root" && find . -path ./var/lib/dpkg -prune -o -print | sort)
in_root --install "$packages"/*.deb >"$work/install" 2>&1 || { cat "$work/install" && exit 1; }

if command -v lintian >/dev/null; then
  echo "lintian"  # the address is for who makes packages to set (SINEW_MAINTAINER)
  lintian --allow-root --fail-on error --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog "$packages"/*.deb >"$work/lintian" 2>&1 || { cat "$work/lintian" && exit 1; }
fi

echo "the command"
library=$(dirname "$(find "$root/usr/lib" -name 'libsinew.so.*' | head -1)")
export LD_LIBRARY_PATH=$library
"$root/usr/bin/sinew" run "$root/usr/share/sinew/models/cradle.xml" --time 1 2>&1 | grep -q "1 s simulated"
zcat "$root/usr/share/man/man1/sinew-run.1.gz" | grep -q record
bash -c "source '$root/usr/share/bash-completion/completions/sinew' && complete -p sinew" | grep -q _sinew
test -s "$root/usr/share/doc/sinew-doc/html/index.html"

echo "an example, compiled against the headers and the library"
cd "$work"
python3 -B "$source/tests/packaging/readme_example.py" main.cpp
pc=$(dirname "$(find "$root" -name sinew.pc)")
# shellcheck disable=SC2046 # pkg-config prints several words
c++ -std=c++20 main.cpp -o main $(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs sinew)
[[ $(./main "$root/usr/share/sinew/models/cradle.xml") == "after 1.00 s the last ball is at -0.259 rad" ]]
cmake -S "$source/tests/packaging/outside" -B outside -DWAY=find_package -DMAIN="$work/main.cpp" -DCMAKE_PREFIX_PATH="$root/usr" >/dev/null

echo "Python"
PYTHONPATH=$root/usr/lib/python3/dist-packages /usr/bin/python3 -B - "$root" <<'PYTHON'
import importlib.metadata
import sys

import sinew

assert sinew.__file__.startswith(sys.argv[1]), sinew.__file__
model = sinew.MjModel.from_xml_path(sys.argv[1] + "/usr/share/sinew/models/cradle.xml")
data = sinew.MjData(model)
sinew.mj_step(model, data, nstep=10)
assert data.time > 0
assert importlib.metadata.version("sinew") == sinew.__version__
PYTHON

echo "the archive"
unset LD_LIBRARY_PATH
tar -xzf "$packages"/sinew-*.tar.gz
mv sinew-*-linux-* moved
moved/bin/sinew run moved/share/sinew/models/cradle.xml --time 1 2>&1 | grep -q "1 s simulated"

echo "removal"
# shellcheck disable=SC2046 # one word per package
in_root --purge $(for deb in "$packages"/*.deb; do dpkg-deb -f "$deb" Package; done) >"$work/remove" 2>&1 || { cat "$work/remove" && exit 1; }
after=$(cd "$root" && find . -path ./var/lib/dpkg -prune -o -print | sort)
diff <(echo "$before") <(echo "$after")
echo "installed, used and removed without a trace"
