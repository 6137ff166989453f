# SINEW_SANITIZE=address,undefined or thread: everything is built with them, and the first finding aborts the program.
if(SINEW_SANITIZE)
  add_compile_options(-fsanitize=${SINEW_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${SINEW_SANITIZE})
endif()
# SINEW_CHECKED: docs/testing.md
if(SINEW_CHECKED)
  add_compile_definitions(SINEW_CHECKED _GLIBCXX_ASSERTIONS)
endif()

# For sources whose speed does not matter, after the -O3 of the numerics: tests, tools, bindings. With the
# undefined-behavior sanitizer they would take three times as long to compile, and its targets are in the library.
set(SINEW_OUTER_OPTIONS -O0)
if(SINEW_SANITIZE MATCHES undefined)
  list(APPEND SINEW_OUTER_OPTIONS -fno-sanitize=undefined)
endif()
set(SINEW_TOOL_OPTIONS -O1)
if(SINEW_SANITIZE)
  set(SINEW_TOOL_OPTIONS ${SINEW_OUTER_OPTIONS})
endif()
# the same for whole targets, which link these after sinew_numerics
add_library(sinew_outer INTERFACE)
# GCC forgets that macros of a precompiled header, such as GoogleTest's, are those of a system header
target_compile_options(sinew_outer INTERFACE ${SINEW_OUTER_OPTIONS} -Wno-dangling-else)
add_library(sinew_tool INTERFACE)
target_compile_options(sinew_tool INTERFACE ${SINEW_TOOL_OPTIONS})
