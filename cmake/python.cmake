# The Python package: build/python/sinew has the compiled module and links to the sources, for use in place with
# PYTHONPATH=build/python. `pip install .` and `./dev python` pack the same files into a wheel (setup.py).
set(SINEW_PYTHON_EXECUTABLE /usr/bin/python3 CACHE FILEPATH "Python interpreter for which to build the package")
set(Python_EXECUTABLE ${SINEW_PYTHON_EXECUTABLE})
find_package(Python COMPONENTS Interpreter Development.Module)
set(PYBIND11_NOPYTHON ON)
find_package(pybind11 CONFIG)
if(NOT Python_Development.Module_FOUND OR NOT pybind11_FOUND)
  message(STATUS "sinew: no Python package (python3-dev and pybind11-dev not found)")
  return()
endif()

file(GLOB SINEW_PYTHON_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/src/*.cpp)
# sources with clashing names are compiled separately
set(alone ${SINEW_PYTHON_SOURCES})
list(FILTER alone INCLUDE REGEX "/(bind_(data|model|render|rollout|scene|support|view)|struct_table|[a-z_]*spec[a-z_]*)\\.cpp$")
list(REMOVE_ITEM SINEW_PYTHON_SOURCES ${alone})
sinew_join(SINEW_PYTHON_SOURCES python 6 ${SINEW_PYTHON_SOURCES})
list(APPEND SINEW_PYTHON_SOURCES ${alone})
add_library(sinew_python MODULE ${SINEW_PYTHON_SOURCES})
# bindings only forward arguments: the work is done in the library
set_source_files_properties(${SINEW_PYTHON_SOURCES} PROPERTIES COMPILE_OPTIONS "${SINEW_TOOL_OPTIONS};-g0")
set(SINEW_PYTHON_PACKAGE ${PROJECT_BINARY_DIR}/python/sinew)
set_target_properties(sinew_python PROPERTIES PREFIX "" OUTPUT_NAME _sinew SUFFIX ".${Python_SOABI}.so" CXX_VISIBILITY_PRESET hidden
                                              LIBRARY_OUTPUT_DIRECTORY ${SINEW_PYTHON_PACKAGE} BUILD_RPATH "$ORIGIN/libs")
# a wheel brings its libraries (setup.py); the old form of the entry also serves libraries that those need
target_link_options(sinew_python PRIVATE LINKER:--disable-new-dtags)
if(TARGET sinew_command)
  set_property(TARGET sinew_command APPEND PROPERTY BUILD_RPATH "$ORIGIN/../libs")
  target_link_options(sinew_command PRIVATE LINKER:--disable-new-dtags)
  file(MAKE_DIRECTORY ${SINEW_PYTHON_PACKAGE}/bin)
  file(CREATE_LINK ${PROJECT_BINARY_DIR}/sinew ${SINEW_PYTHON_PACKAGE}/bin/sinew SYMBOLIC)
endif()
target_include_directories(sinew_python PRIVATE ${PROJECT_SOURCE_DIR}/python/src ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(sinew_python PRIVATE sinew fmt::fmt Python::Module pybind11::headers sinew_numerics)
if(SINEW_HAS_RENDER)
  target_link_libraries(sinew_python PRIVATE sinew_render)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/python/src/bind_render.cpp PROPERTIES COMPILE_DEFINITIONS SINEW_HAS_RENDER)
endif()

if(SINEW_HAS_VIEW)
  target_link_libraries(sinew_python PRIVATE sinew_view)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/python/src/bind_view.cpp PROPERTIES COMPILE_DEFINITIONS SINEW_HAS_VIEW)
endif()

file(GLOB SINEW_PYTHON_FILES CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/python/sinew
     ${PROJECT_SOURCE_DIR}/python/sinew/*.py ${PROJECT_SOURCE_DIR}/python/sinew/*.pyi ${PROJECT_SOURCE_DIR}/python/sinew/py.typed)
file(MAKE_DIRECTORY ${SINEW_PYTHON_PACKAGE})
foreach(file IN LISTS SINEW_PYTHON_FILES)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/python/sinew/${file} ${SINEW_PYTHON_PACKAGE}/${file} SYMBOLIC)
endforeach()

set(SINEW_PYTHON_INSTALL lib/python3/dist-packages CACHE STRING "Where the Python package is installed, below the prefix")
configure_file(${PROJECT_SOURCE_DIR}/cmake/METADATA.in ${PROJECT_BINARY_DIR}/METADATA @ONLY)
install(TARGETS sinew_python DESTINATION ${SINEW_PYTHON_INSTALL}/sinew COMPONENT python EXCLUDE_FROM_ALL)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/sinew DESTINATION ${SINEW_PYTHON_INSTALL} COMPONENT python EXCLUDE_FROM_ALL
        FILES_MATCHING PATTERN *.py PATTERN *.pyi PATTERN py.typed PATTERN __pycache__ EXCLUDE)
install(FILES ${PROJECT_BINARY_DIR}/METADATA DESTINATION ${SINEW_PYTHON_INSTALL}/sinew-${PROJECT_VERSION}.dist-info
        COMPONENT python EXCLUDE_FROM_ALL)

if(SINEW_TESTS AND NOT SINEW_SANITIZE)
  add_test(NAME python COMMAND ${SINEW_PYTHON_EXECUTABLE} -B -m pytest -q -p no:cacheprovider ${PROJECT_SOURCE_DIR}/python/tests)
  set_tests_properties(python PROPERTIES ENVIRONMENT "PYTHONPATH=${PROJECT_BINARY_DIR}/python" TIMEOUT 900)
  add_test(NAME python_wheel COMMAND ${PROJECT_SOURCE_DIR}/tests/packaging/python_wheel.sh ${PROJECT_BINARY_DIR})
  set_tests_properties(python_wheel PROPERTIES LABELS slow TIMEOUT 900)
endif()

# The interpreter itself is not built with the sanitizers, so their libraries are preloaded.
if(SINEW_TESTS AND SINEW_SANITIZE MATCHES address AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  foreach(library asan ubsan)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=lib${library}.so OUTPUT_VARIABLE SINEW_LIB${library}
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
  endforeach()
  set(python_tests test_wrong_calls.py test_callbacks.py test_spec.py test_views.py)
  list(TRANSFORM python_tests PREPEND ${PROJECT_SOURCE_DIR}/python/tests/)
  # freed memory stays in quarantine, so memory use grows
  add_test(NAME python COMMAND ${SINEW_PYTHON_EXECUTABLE} -B -m pytest -q -p no:cacheprovider -k "not memory_is_constant"
                               ${python_tests})
  set(environment PYTHONPATH=${PROJECT_BINARY_DIR}/python ASAN_OPTIONS=detect_leaks=0,verify_asan_link_order=0
                  "LD_PRELOAD=${SINEW_LIBasan} ${SINEW_LIBubsan}")
  set_tests_properties(python PROPERTIES LABELS sanitize TIMEOUT 900 ENVIRONMENT "${environment}")
endif()
