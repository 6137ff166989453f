# Tests: one program per folder of tests/ with *_test.cpp, and scripts. Label slow: tests that build something.
find_package(GTest REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_library(SINEW_MPFR_LIBRARY mpfr)  # exact values of elementary functions; without it only their bits are tested
find_library(SINEW_GMP_LIBRARY gmp)

# precompiled once for all test programs; an object library, so that no test waits for another program
if(SINEW_PRECOMPILED)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/test_headers.cpp CONTENT "")
  add_library(sinew_test_headers OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/test_headers.cpp)
  target_include_directories(sinew_test_headers PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(sinew_test_headers PRIVATE fmt::fmt nlohmann_json::nlohmann_json GTest::gmock sinew_numerics sinew_outer)
  sinew_precompile(sinew_test_headers ${SINEW_COMMON_HEADERS} <fstream> <sstream> <gmock/gmock.h> <gtest/gtest.h> <nlohmann/json.hpp>)
endif()

file(GLOB SINEW_TEST_FOLDERS CONFIGURE_DEPENDS LIST_DIRECTORIES true ${PROJECT_SOURCE_DIR}/tests/*)
foreach(folder IN LISTS SINEW_TEST_FOLDERS)
  get_filename_component(name ${folder} NAME)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*_test.cpp)
  if(sources AND (SINEW_HAS_RENDER OR NOT name STREQUAL render) AND (SINEW_HAS_VIEW OR NOT name STREQUAL view))
    add_executable(test_${name} ${sources})
    target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
    target_compile_definitions(test_${name} PRIVATE SINEW_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                                    SINEW_COMMAND="${PROJECT_BINARY_DIR}/sinew")
    target_link_libraries(test_${name} PRIVATE sinew fmt::fmt Eigen3::Eigen nlohmann_json::nlohmann_json GTest::gmock
                                               GTest::gtest_main sinew_numerics sinew_outer)
    # with them GCC 12 refuses Eigen's prefetching at -O0 in the tests of the solver
    if(SINEW_PRECOMPILED AND NOT name STREQUAL solver)
      target_precompile_headers(test_${name} REUSE_FROM sinew_test_headers)
    endif()
    if(SINEW_HAS_RENDER AND name MATCHES "^(render|tools)$")
      target_link_libraries(test_${name} PRIVATE sinew_render)
      target_compile_definitions(test_${name} PRIVATE SINEW_HAS_RENDER)
    endif()
    if(name STREQUAL view)
      target_link_libraries(test_view PRIVATE sinew_view)
      target_include_directories(test_view SYSTEM PRIVATE ${SINEW_BOOST_INCLUDE})
    endif()
    if(name STREQUAL math AND SINEW_MPFR_LIBRARY AND SINEW_GMP_LIBRARY)
      target_link_libraries(test_math PRIVATE ${SINEW_MPFR_LIBRARY} ${SINEW_GMP_LIBRARY})
      target_compile_definitions(test_math PRIVATE SINEW_HAS_MPFR)
    endif()
    list(APPEND SINEW_TEST_PROGRAMS ${name})
  endif()
endforeach()

if(SINEW_SANITIZE MATCHES thread)
  # only multithreaded tests: for a single thread the thread sanitizer adds nothing
  set(SINEW_TEST_PROGRAMS base batch compile derivative)
  set(filter_compile --gtest_filter=*esh*:*hread*)
  set(filter_derivative --gtest_filter=TransitionFd*:*hread*)
endif()
if(SINEW_SANITIZE)
  # it passes invalid numbers to stages, which must not use them, and relies on row arrays keeping their length
  list(REMOVE_ITEM SINEW_TEST_PROGRAMS contracts)
endif()
foreach(name IN LISTS SINEW_TEST_PROGRAMS)
  add_test(NAME ${name} COMMAND test_${name} ${filter_${name}})
  set_tests_properties(${name} PROPERTIES TIMEOUT 900)
endforeach()

# A machine with AVX2 never runs the portable version of the kernels. Programs with these objects do: they precede the
# library on the linker's command line, so that the same symbols are not taken from the library.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT SINEW_PORTABLE AND NOT SINEW_SANITIZE MATCHES thread)
  foreach(source IN LISTS SINEW_SOURCES)
    file(STRINGS ${source} marks REGEX "SINEW_[A-Z_]*KERNEL" LIMIT_COUNT 1)
    if(marks)
      list(APPEND SINEW_KERNEL_SOURCES ${source})
    endif()
  endforeach()
  add_library(sinew_portable_kernels OBJECT EXCLUDE_FROM_ALL ${SINEW_KERNEL_SOURCES})
  target_compile_definitions(sinew_portable_kernels PRIVATE SINEW_PORTABLE)
  target_include_directories(sinew_portable_kernels PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(sinew_portable_kernels PRIVATE ${SINEW_STEP_OPTIONS})
  target_link_libraries(sinew_portable_kernels PRIVATE fmt::fmt Eigen3::Eigen sinew_numerics)
endif()
if(TARGET sinew_portable_kernels)
  set(portable constraint solver)  # they compare every kernel with scalar code, bit for bit
  if(SINEW_SANITIZE)
    list(APPEND portable models pipeline sim)
  endif()
  foreach(name IN LISTS portable)
    add_executable(test_${name}_portable $<TARGET_OBJECTS:test_${name}> $<TARGET_OBJECTS:sinew_portable_kernels>)
    target_link_libraries(test_${name}_portable PRIVATE sinew fmt::fmt GTest::gmock GTest::gtest_main)
    add_test(NAME ${name}_portable COMMAND test_${name}_portable)
    set_tests_properties(${name}_portable PROPERTIES TIMEOUT 900)
  endforeach()
endif()

set(python ${Python3_EXECUTABLE} -B)

# The declared reads and writes of the stages, as a table for tests/contracts.
file(GLOB_RECURSE contract_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.h ${PROJECT_SOURCE_DIR}/src/*.cpp)
file(GLOB field_tables CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/sinew/*.def)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/contracts/stage_contracts.inc
                   COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/contracts
                   COMMAND ${python} ${PROJECT_SOURCE_DIR}/docs/step.py --table
                           ${PROJECT_BINARY_DIR}/contracts/stage_contracts.inc
                   DEPENDS ${PROJECT_SOURCE_DIR}/docs/step.py ${contract_sources} ${field_tables}
                   VERBATIM)
target_sources(test_contracts PRIVATE ${PROJECT_BINARY_DIR}/contracts/stage_contracts.inc)
target_include_directories(test_contracts PRIVATE ${PROJECT_BINARY_DIR}/contracts)

if(SINEW_SANITIZE)
  return()  # the rest checks the sources, or builds again
endif()
add_test(NAME folders_include_only_earlier_folders
         COMMAND ${python} ${PROJECT_SOURCE_DIR}/tests/lint/include_order.py)
add_test(NAME docs_match_the_source_tree COMMAND ${python} ${PROJECT_SOURCE_DIR}/tests/lint/architecture.py)
add_test(NAME library_calls_no_system_functions
         COMMAND ${python} ${PROJECT_SOURCE_DIR}/tests/lint/no_system_functions.py ${PROJECT_BINARY_DIR})
add_test(NAME include_lint_detects_violations
         COMMAND ${python} ${PROJECT_SOURCE_DIR}/tests/lint/include_order_test.py)
add_test(NAME public_headers_compile_alone
         COMMAND ${python} ${PROJECT_SOURCE_DIR}/tests/packaging/headers_alone.py ${CMAKE_CXX_COMPILER})

add_test(NAME stages_declare_what_they_read_and_write
         COMMAND ${python} ${PROJECT_SOURCE_DIR}/tests/lint/step_contracts.py)
add_test(NAME generated_docs_are_up_to_date COMMAND ${python} ${PROJECT_SOURCE_DIR}/docs/step.py --check)
set_tests_properties(generated_docs_are_up_to_date public_headers_compile_alone PROPERTIES LABELS slow)

if(PROJECT_IS_TOP_LEVEL)
  foreach(way find_package find_package_shared add_subdirectory fast_math_parent pkg_config)
    add_test(NAME packaging_${way} COMMAND ${PROJECT_SOURCE_DIR}/tests/packaging/use_as.sh ${way} ${PROJECT_BINARY_DIR})
    set_tests_properties(packaging_${way} PROPERTIES LABELS slow TIMEOUT 1500 RESOURCE_LOCK install)
  endforeach()
endif()
