# The viewer in a browser: the library sinew::view. It needs Boost's headers (Beast); the engine does not.
set(SINEW_HAS_VIEW OFF)
if(SINEW_VIEW)
  find_path(SINEW_BOOST_INCLUDE boost/beast/websocket.hpp)
  if(SINEW_BOOST_INCLUDE)
    set(SINEW_HAS_VIEW ON)
  else()
    message(STATUS "sinew: no viewer (libboost-dev not found)")
  endif()
endif()
if(NOT SINEW_HAS_VIEW)
  return()
endif()

file(GLOB SINEW_VIEW_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/view/*.cpp)
set_source_files_properties(${SINEW_VIEW_SOURCES} PROPERTIES COMPILE_OPTIONS "${SINEW_TOOL_OPTIONS}")
add_library(sinew_view ${SINEW_VIEW_SOURCES})
add_library(sinew::view ALIAS sinew_view)
target_include_directories(sinew_view PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_include_directories(sinew_view SYSTEM PRIVATE ${SINEW_BOOST_INCLUDE})
target_link_libraries(sinew_view PUBLIC sinew PRIVATE fmt::fmt Threads::Threads lodepng
                                 $<BUILD_INTERFACE:nlohmann_json::nlohmann_json> $<BUILD_INTERFACE:sinew_numerics>)
if(SINEW_HAS_RENDER)
  target_link_libraries(sinew_view PRIVATE sinew_render)
  target_compile_definitions(sinew_view PRIVATE SINEW_HAS_RENDER)
endif()
set_target_properties(sinew_view PROPERTIES EXPORT_NAME view POSITION_INDEPENDENT_CODE ON VERSION ${PROJECT_VERSION}
                                            SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

# The page, as web/build.mjs bundles it; without the bundle the library has a page that says how to make it.
set(page ${PROJECT_SOURCE_DIR}/web/dist)
file(GLOB bundle CONFIGURE_DEPENDS ${page}/index.html ${page}/app.js ${page}/app.css)
list(LENGTH bundle count)
if(count EQUAL 3)
  set(packed "")
  foreach(file IN LISTS bundle)
    get_filename_component(name ${file} NAME)
    add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/page/${name}.gz
                       COMMAND gzip -9 -n -c ${file} > ${PROJECT_BINARY_DIR}/page/${name}.gz DEPENDS ${file} VERBATIM)
    list(APPEND packed ${PROJECT_BINARY_DIR}/page/${name}.gz)
  endforeach()
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/page)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/view/page.cpp PROPERTIES
                              COMPILE_DEFINITIONS SINEW_PAGE_FOLDER="${PROJECT_BINARY_DIR}/page"
                              OBJECT_DEPENDS "${packed}")
endif()
