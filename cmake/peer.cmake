# The MuJoCo to compare with: a folder as its releases are laid out, or else what Debian installs.
set(default_peer ${PROJECT_SOURCE_DIR}/../shared/peer/mujoco-3.12.0)
if(NOT EXISTS ${default_peer}/include)
  set(default_peer "")
endif()
set(SINEW_PEER "${default_peer}" CACHE PATH "Folder with include/ and lib/ of the MuJoCo to compare with; empty: the system's")

# sinew_link_peer(TARGET): with the peer's headers and library; SINEW_PEER_LIBRARIES is the folder of its plugins
function(sinew_link_peer target)
  if(SINEW_PEER)
    file(GLOB SINEW_PEER_LIBRARY ${SINEW_PEER}/lib/libmujoco.so.*)  # libmujoco.so may be a broken link
    target_include_directories(${target} SYSTEM PRIVATE ${SINEW_PEER}/include)
    target_compile_definitions(${target} PRIVATE SINEW_PEER_LIBRARIES="${SINEW_PEER}/lib")
    set_target_properties(${target} PROPERTIES BUILD_RPATH ${SINEW_PEER}/lib)
  else()
    find_library(SINEW_PEER_LIBRARY mujoco REQUIRED)
  endif()
  target_link_libraries(${target} PRIVATE ${SINEW_PEER_LIBRARY})
endfunction()
