# Tests: one program per folder of tests/ that holds *_test.cpp, and scripts. Label slow: they build something.
find_package(GTest REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

file(GLOB SINEW_TEST_FOLDERS CONFIGURE_DEPENDS LIST_DIRECTORIES true ${PROJECT_SOURCE_DIR}/tests/*)
foreach(folder IN LISTS SINEW_TEST_FOLDERS)
  get_filename_component(name ${folder} NAME)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*_test.cpp)
  if(sources)
    # behind the -O3 of the numerics: what is tested is in the library, and GoogleTest's macros take long to optimize
    set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS -O1)
    add_executable(test_${name} ${sources})
    target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
    target_compile_definitions(test_${name} PRIVATE SINEW_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                                    SINEW_COMMAND="${PROJECT_BINARY_DIR}/sinew")
    target_link_libraries(test_${name} PRIVATE sinew fmt::fmt Eigen3::Eigen nlohmann_json::nlohmann_json GTest::gmock
                                               GTest::gtest_main sinew_numerics)
    add_test(NAME ${name} COMMAND test_${name})
  endif()
endforeach()

set(python ${Python3_EXECUTABLE} -B)

# What the stages declare to read and write, as a table for tests/contracts.
file(GLOB_RECURSE contract_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.h ${PROJECT_SOURCE_DIR}/src/*.cpp)
file(GLOB field_tables CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/sinew/*.def)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/contracts/stage_contracts.inc
                   COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/contracts
                   COMMAND ${python} ${PROJECT_SOURCE_DIR}/docs/step.py --table
                           ${PROJECT_BINARY_DIR}/contracts/stage_contracts.inc
                   DEPENDS ${PROJECT_SOURCE_DIR}/docs/step.py ${contract_sources} ${field_tables}
                           ${PROJECT_SOURCE_DIR}/include/sinew/data.h
                   VERBATIM)
target_sources(test_contracts PRIVATE ${PROJECT_BINARY_DIR}/contracts/stage_contracts.inc)
target_include_directories(test_contracts PRIVATE ${PROJECT_BINARY_DIR}/contracts)
add_test(NAME folders_include_only_what_stands_left_of_them
         COMMAND ${python} ${PROJECT_SOURCE_DIR}/tests/lint/include_order.py)
add_test(NAME public_headers_compile_alone
         COMMAND ${python} ${PROJECT_SOURCE_DIR}/tests/packaging/headers_alone.py ${CMAKE_CXX_COMPILER})

add_test(NAME generated_docs_are_up_to_date COMMAND ${python} ${PROJECT_SOURCE_DIR}/docs/step.py --check)
set_tests_properties(generated_docs_are_up_to_date public_headers_compile_alone PROPERTIES LABELS slow)

# The sanitizers have their own build folder, so they are a test of the plain build only.
if(PROJECT_IS_TOP_LEVEL AND NOT SINEW_SANITIZE)
  foreach(way find_package find_package_shared add_subdirectory fast_math_parent pkg_config)
    add_test(NAME packaging_${way} COMMAND ${PROJECT_SOURCE_DIR}/tests/packaging/use_as.sh ${way} ${PROJECT_BINARY_DIR})
    set_tests_properties(packaging_${way} PROPERTIES LABELS slow TIMEOUT 1500 RESOURCE_LOCK install)
  endforeach()
  add_test(NAME under_sanitizers COMMAND ${PROJECT_SOURCE_DIR}/dev sanitize)
  set_tests_properties(under_sanitizers PROPERTIES LABELS slow TIMEOUT 1500)
endif()
