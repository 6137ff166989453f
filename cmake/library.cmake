# The library: all sources of src/ but render and view. tests/lint/include_order.py checks the one-way order of its folders.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(Eigen3 REQUIRED)
find_package(nlohmann_json REQUIRED)
foreach(library lodepng qhull_r tinyobjloader)  # linked by name: not all have a CMake package on Debian
  find_library(SINEW_${library}_LIBRARY ${library} REQUIRED)
endforeach()

file(GLOB SINEW_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*/*.cpp ${PROJECT_SOURCE_DIR}/src/*/*/*.cpp)
list(FILTER SINEW_SOURCES EXCLUDE REGEX "/src/(render|view)/")  # cmake/render.cmake, cmake/view.cmake
# join_folder(NAME COUNT REGEX): joins the matching sources, COUNT per file, into SINEW_NAME_SOURCES
set(SINEW_SOURCES_TO_BUILD ${SINEW_SOURCES})
macro(join_folder name count regex)
  set(sources ${SINEW_SOURCES})
  list(FILTER sources INCLUDE REGEX "${regex}")
  list(REMOVE_ITEM SINEW_SOURCES_TO_BUILD ${sources})
  sinew_join(SINEW_${name}_SOURCES ${name} ${count} ${sources})
  list(APPEND SINEW_SOURCES_TO_BUILD ${SINEW_${name}_SOURCES})
endmacro()
join_folder(schema 4 "/src/spec/schema")
join_folder(spec 10 "/src/spec/([^sx]|s[^c])")  # xml.cpp shares a name with others
join_folder(compile 13 "/src/compile/")
join_folder(edit 6 "/src/edit/")
join_folder(file 6 "/src/file/")
join_folder(outer 7 "/src/(record/|batch/[^b])")  # batch.cpp keeps types of its unnamed namespace in a class
add_library(sinew ${SINEW_SOURCES_TO_BUILD})
add_library(sinew::sinew ALIAS sinew)
target_compile_features(sinew PUBLIC cxx_std_20)
target_include_directories(sinew PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
                                 PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(sinew PRIVATE fmt::fmt Threads::Threads lodepng qhull_r tinyobjloader
                                    $<BUILD_INTERFACE:Eigen3::Eigen>
                                    $<BUILD_INTERFACE:nlohmann_json::nlohmann_json> $<BUILD_INTERFACE:sinew_numerics>)
set_target_properties(sinew PROPERTIES POSITION_INDEPENDENT_CODE ON DEFINE_SYMBOL "" VERSION ${PROJECT_VERSION}
                                       SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

# Options that the code of a step gains from and that do not affect results. errno is not used: √ is one instruction.
# GCC clears and copies short arrays with `rep stos`, `rep movs` or a call, whose startup alone costs more than a few
# vector stores.
set(SINEW_STEP_OPTIONS -fno-math-errno)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND SINEW_STEP_OPTIONS -fno-tree-loop-distribute-patterns)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    list(APPEND SINEW_STEP_OPTIONS -mmemset-strategy=vector_loop:512:noalign,libcall:-1:noalign
                                   -mmemcpy-strategy=vector_loop:512:noalign,libcall:-1:noalign)
  endif()
endif()
target_compile_options(sinew PRIVATE ${SINEW_STEP_OPTIONS})
sinew_precompile(sinew ${SINEW_COMMON_HEADERS})
if(SINEW_PORTABLE)
  target_compile_definitions(sinew PRIVATE SINEW_PORTABLE)
endif()

# Optimizing code that runs once or waits for files takes longer than it saves. With sanitizers this applies to all code
# outside the step; it is compiled without their options for the step, so without the precompiled headers.
set(quick_sources ${SINEW_SOURCES})
list(FILTER quick_sources INCLUDE REGEX "/src/urdf/|/src/model/model\\.cpp$")
list(APPEND quick_sources ${SINEW_schema_SOURCES} ${SINEW_edit_SOURCES} ${SINEW_file_SOURCES} ${SINEW_outer_SOURCES})
set_source_files_properties(${quick_sources} PROPERTIES COMPILE_OPTIONS -O1)
set_source_files_properties(${SINEW_spec_SOURCES} ${SINEW_compile_SOURCES} PROPERTIES COMPILE_OPTIONS -O2)
if(SINEW_SANITIZE)
  list(APPEND quick_sources ${SINEW_spec_SOURCES} ${SINEW_compile_SOURCES})
  set_source_files_properties(${quick_sources} PROPERTIES COMPILE_OPTIONS -O0 SKIP_PRECOMPILE_HEADERS ON)
  set_source_files_properties(${SINEW_schema_SOURCES} PROPERTIES COMPILE_OPTIONS "${SINEW_OUTER_OPTIONS}")
endif()
