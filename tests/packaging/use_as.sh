#!/usr/bin/env bash
# use_as.sh WAY BUILD: an external project finds sinew in one of the ways given in the README, then builds and runs the
# README's example. WAY: find_package, find_package_shared, add_subdirectory, fast_math_parent, pkg_config. BUILD: our
# build folder.
set -euo pipefail
way=$1
build=$(cd "$2" && pwd)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$(cd "$here/../.." && pwd)
work=$build/packaging/$way
prefix=$build/packaging/prefix
mkdir -p "$work"
python3 -B "$here/readme_example.py" "$work/main.cpp"

# outside WAY OPTION...: configures the external project. With the flags of our own build, ccache has every object.
outside() {
  cmake -S "$here/outside" -B "$work" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSINEW_WARNINGS=ON \
    -DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DSINEW_JOINED="$build/joined" -DWAY="$1" -DMAIN="$work/main.cpp" "${@:2}"
}

case $way in
  find_package)
    cmake --install "$build" --prefix "$prefix" >/dev/null
    outside find_package -DCMAKE_PREFIX_PATH="$prefix"
    cmake --build "$work"
    ;;
  find_package_shared)
    cmake -S "$source" -B "$work/sinew" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER_LAUNCHER=ccache \
      -DSINEW_JOINED="$build/joined" -DBUILD_SHARED_LIBS=ON -DSINEW_TESTS=OFF -DSINEW_TOOLS=OFF -DSINEW_PYTHON=OFF -DSINEW_EXAMPLES=OFF
    cmake --build "$work/sinew"
    cmake --install "$work/sinew" --prefix "$work/prefix" >/dev/null
    outside find_package -DCMAKE_PREFIX_PATH="$work/prefix"
    cmake --build "$work"
    ;;
  add_subdirectory)
    outside add_subdirectory -DSINEW_SOURCE="$source"
    cmake --build "$work"
    ;;
  fast_math_parent)
    # flags of the parent must not affect the library's arithmetic; one source with products and sums is enough
    outside add_subdirectory -DSINEW_SOURCE="$source" -DCMAKE_CXX_FLAGS="-ffast-math -march=haswell"
    cmake --build "$work" --target sinew/CMakeFiles/sinew.dir/src/dynamics/inertia.cpp.o
    exec python3 -B "$source/tests/lint/no_fused_instructions.py" "$work/sinew"
    ;;
  pkg_config)
    cmake --install "$build" --prefix "$prefix" >/dev/null
    pc=$(dirname "$(find "$prefix" -name sinew.pc)")
    # shellcheck disable=SC2046 # pkg-config prints several words
    "${CXX:-c++}" -std=c++20 "$work/main.cpp" -o "$work/outside" \
      $(PKG_CONFIG_PATH="$pc" pkg-config --cflags --libs sinew)
    ;;
  *) echo "unknown way '$way'" >&2 && exit 2 ;;
esac

# MuJoCo 3.12.0, oracle: get models/cradle.xml qpos --key 0 --steps 4001
said=$("$work/outside" "$source/models/cradle.xml")
echo "$said"
[[ $said == "after 1.00 s the last ball is at -0.259 rad" ]]
