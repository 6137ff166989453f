# Examples: programs that use the library as its users do.
#
# Small ones, one idea each: example_NAME FOLDER writes a picture into FOLDER and prints a result, which
# tests/packaging/examples.py compares with a formula.
find_package(Eigen3 REQUIRED)
set(SINEW_SMALL_EXAMPLES pendulum sensors friction chain tracking muscle batch lidar balance robot)
foreach(name IN LISTS SINEW_SMALL_EXAMPLES)
  set_source_files_properties(examples/${name}.cpp PROPERTIES COMPILE_OPTIONS "${SINEW_TOOL_OPTIONS}")
  add_executable(example_${name} examples/${name}.cpp)
  list(APPEND SINEW_EXAMPLE_TARGETS example_${name})
endforeach()

# Larger ones, which exit with 0 if they reach their goal.
set_source_files_properties(examples/ilqr.cpp examples/optimize.cpp examples/identify.cpp
                            PROPERTIES COMPILE_OPTIONS "${SINEW_TOOL_OPTIONS}")
add_executable(example_ilqr examples/ilqr.cpp examples/optimize.cpp)
add_executable(example_identify examples/identify.cpp)
foreach(name ilqr identify)
  list(APPEND SINEW_EXAMPLE_TARGETS example_${name})
  if(SINEW_TESTS)
    add_test(NAME example_${name} COMMAND example_${name})
    set_tests_properties(example_${name} PROPERTIES TIMEOUT 300)
  endif()
endforeach()
foreach(target IN LISTS SINEW_EXAMPLE_TARGETS)
  target_link_libraries(${target} PRIVATE sinew::sinew Eigen3::Eigen sinew_numerics)
endforeach()
add_custom_target(examples DEPENDS ${SINEW_EXAMPLE_TARGETS})
if(SINEW_TESTS)
  add_test(NAME examples COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/packaging/examples.py
                                 ${PROJECT_BINARY_DIR} ${SINEW_SMALL_EXAMPLES})
  set_tests_properties(examples PROPERTIES TIMEOUT 300)
endif()
