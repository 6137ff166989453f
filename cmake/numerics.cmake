# Flags that decide the bits of every result: no fused multiply-add, no reassociation, no -march=native.
add_library(sinew_numerics INTERFACE)
target_compile_options(sinew_numerics INTERFACE -ffp-contract=off -Wall -Wextra)
