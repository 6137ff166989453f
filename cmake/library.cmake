# The library: every source of src/. The one-way order of its folders is checked by tests/lint/include_order.py.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(Eigen3 REQUIRED)
find_package(nlohmann_json REQUIRED)
foreach(library lodepng qhull_r tinyobjloader)  # linked by name: not every one has a CMake package on Debian
  find_library(SINEW_${library}_LIBRARY ${library} REQUIRED)
endforeach()

file(GLOB SINEW_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*/*.cpp ${PROJECT_SOURCE_DIR}/src/*/*/*.cpp)
add_library(sinew ${SINEW_SOURCES})
add_library(sinew::sinew ALIAS sinew)
target_compile_features(sinew PUBLIC cxx_std_20)
target_include_directories(sinew PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
                                 PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(sinew PRIVATE fmt::fmt Threads::Threads lodepng qhull_r tinyobjloader
                                    $<BUILD_INTERFACE:Eigen3::Eigen>
                                    $<BUILD_INTERFACE:nlohmann_json::nlohmann_json> $<BUILD_INTERFACE:sinew_numerics>)
set_target_properties(sinew PROPERTIES POSITION_INDEPENDENT_CODE ON DEFINE_SYMBOL "" VERSION ${PROJECT_VERSION}
                                       SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

# Speed without a say in the bits, for what a step runs through. Nobody reads errno: √ is one instruction. GCC clears and
# copies short arrays with `rep stos`, `rep movs` or a call, whose start alone costs more than a few vector stores.
set(SINEW_STEP_SOURCES ${SINEW_SOURCES})
list(FILTER SINEW_STEP_SOURCES INCLUDE REGEX "/src/(model|dynamics|collision|constraint|solver|sensor|sim)/")
set(SINEW_STEP_OPTIONS -fno-math-errno)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND SINEW_STEP_OPTIONS -fno-tree-loop-distribute-patterns)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    list(APPEND SINEW_STEP_OPTIONS -mmemset-strategy=vector_loop:512:noalign,libcall:-1:noalign
                                   -mmemcpy-strategy=vector_loop:512:noalign,libcall:-1:noalign)
  endif()
endif()
set_source_files_properties(${SINEW_STEP_SOURCES} PROPERTIES COMPILE_OPTIONS "${SINEW_STEP_OPTIONS}")

# Under the sanitizers hardly a test runs through these, and to optimize them takes longer than the tests.
if(SINEW_SANITIZE)
  set(SINEW_PLAIN_SOURCES ${SINEW_SOURCES})
  list(FILTER SINEW_PLAIN_SOURCES INCLUDE REGEX "/src/(batch|derivative|record)/")
  set_source_files_properties(${SINEW_PLAIN_SOURCES} PROPERTIES COMPILE_OPTIONS -O0)
endif()
