# Flags that determine the bits of every result. They follow the flags of a parent project on the command line, so they
# override its -ffast-math or -march=native. GCC's vectorizer fuses multiply and add despite -ffp-contract=off if the
# target has the instructions: hence the baseline target (docs/numerics.md).
add_library(sinew_numerics INTERFACE)
target_compile_options(sinew_numerics INTERFACE -ffp-contract=off -fno-fast-math $<$<NOT:$<CONFIG:Debug>>:-O3>)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  target_compile_options(sinew_numerics INTERFACE -march=x86-64 -mno-fma)
endif()
if(PROJECT_IS_TOP_LEVEL OR SINEW_WARNINGS)
  target_compile_options(sinew_numerics INTERFACE -Wall -Wextra)
endif()
