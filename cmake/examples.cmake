# Examples: programs that use the library as its users do. As tests they exit with 0 if they reach their goal.
find_package(Eigen3 REQUIRED)
set_source_files_properties(examples/ilqr.cpp examples/optimize.cpp examples/identify.cpp
                            PROPERTIES COMPILE_OPTIONS "${SINEW_TOOL_OPTIONS}")
add_executable(example_ilqr examples/ilqr.cpp examples/optimize.cpp)
add_executable(example_identify examples/identify.cpp)
foreach(name ilqr identify)
  target_link_libraries(example_${name} PRIVATE sinew::sinew Eigen3::Eigen sinew_numerics)
  if(SINEW_TESTS)
    add_test(NAME example_${name} COMMAND example_${name})
    set_tests_properties(example_${name} PROPERTIES TIMEOUT 300)
  endif()
endforeach()
