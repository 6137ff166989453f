#!/usr/bin/env bash
# use_as.sh WAY BUILD: an outside project finds sinew in one of the ways that the README promises, builds and runs.
# WAY: find_package, find_package_shared, add_subdirectory, pkg_config. BUILD: the build folder of this project.
set -euo pipefail
way=$1
build=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$(cd "$here/../.." && pwd)
work=$build/packaging/$way
prefix=$build/packaging/prefix
mkdir -p "$work"

outside() {  # outside WAY OPTION...: configure, build and run the project that uses sinew
  cmake -S "$here/outside" -B "$work" -G Ninja -DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DWAY="$1" "${@:2}"
  cmake --build "$work"
  "$work/outside"
}

case $way in
  find_package)
    cmake --install "$build" --prefix "$prefix" >/dev/null
    outside find_package -DCMAKE_PREFIX_PATH="$prefix"
    ;;
  find_package_shared)
    cmake -S "$source" -B "$work/sinew" -G Ninja -DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DBUILD_SHARED_LIBS=ON \
      -DSINEW_TESTS=OFF -DSINEW_TOOLS=OFF
    cmake --build "$work/sinew"
    cmake --install "$work/sinew" --prefix "$work/prefix" >/dev/null
    outside find_package -DCMAKE_PREFIX_PATH="$work/prefix"
    ;;
  add_subdirectory)
    # hostile flags of the parent must not reach the library's numbers
    outside add_subdirectory -DSINEW_SOURCE="$source" -DCMAKE_CXX_FLAGS="-ffast-math -march=haswell"
    python3 -B "$source/tests/lint/no_fused_instructions.py" "$work/sinew"
    ;;
  pkg_config)
    cmake --install "$build" --prefix "$prefix" >/dev/null
    pc=$(dirname "$(find "$prefix" -name sinew.pc)")
    # shellcheck disable=SC2046 # pkg-config prints words
    "${CXX:-c++}" -std=c++20 "$here/outside/main.cpp" -o "$work/outside" \
      $(PKG_CONFIG_PATH="$pc" pkg-config --cflags --libs sinew)
    "$work/outside"
    ;;
  *) echo "no way '$way'" >&2 && exit 2 ;;
esac
