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
