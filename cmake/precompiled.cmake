# Precompiled headers: half of what a small source costs to compile is the headers that nearly all sources share. Only with
# SINEW_JOINED, which stands for fast compiling, and GCC, whose precompiled headers ccache can keep. Names in angle brackets
# leave no path of this checkout in the files that CMake writes, so that other checkouts hit the compiler cache.
set(SINEW_COMMON_HEADERS <algorithm> <array> <cmath> <cstdint> <cstring> <filesystem> <functional> <limits> <map> <memory> <optional>
                         <set> <span> <string> <string_view> <unordered_map> <utility> <vector> <fmt/format.h> <sinew/data.h>)
if(SINEW_JOINED AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(SINEW_PRECOMPILED ON)
else()
  set(SINEW_PRECOMPILED OFF)
endif()
# without this ccache compiles every source that uses a precompiled header anew
if(SINEW_PRECOMPILED AND CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache$")
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()

# sinew_precompile(TARGET HEADER...): the headers are read before each source of the target. Sources whose options differ in
# more than the level of optimization have to be excluded with SKIP_PRECOMPILE_HEADERS: GCC would refuse the headers.
function(sinew_precompile target)
  if(SINEW_PRECOMPILED)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()
