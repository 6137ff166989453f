# Random worlds (tests/random): random_worlds checks laws that need no other engine, random_peer compares with MuJoCo
# and is built if one is available. The tests run a fixed set of seeds.
set(default_peer ${PROJECT_SOURCE_DIR}/../shared/peer/mujoco-3.12.0)
if(NOT EXISTS ${default_peer}/include)
  set(default_peer "")
endif()
set(SINEW_PEER "${default_peer}" CACHE PATH "Folder with include/ and lib/ of the MuJoCo to compare with; empty: none")

set(folder ${PROJECT_SOURCE_DIR}/tests/random)
add_library(random_world_tools STATIC EXCLUDE_FROM_ALL ${folder}/deformable.cpp ${folder}/driver.cpp ${folder}/edit.cpp
                                                       ${folder}/element.cpp ${folder}/generate.cpp ${folder}/shrink.cpp
                                                       ${folder}/start.cpp)
target_include_directories(random_world_tools PUBLIC ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(random_world_tools PUBLIC sinew PRIVATE sinew_numerics)
set_source_files_properties(${folder}/deformable.cpp ${folder}/driver.cpp ${folder}/edit.cpp ${folder}/element.cpp ${folder}/generate.cpp
                            ${folder}/shrink.cpp ${folder}/start.cpp ${folder}/laws.cpp ${folder}/peer.cpp
                            PROPERTIES COMPILE_OPTIONS "${SINEW_TOOL_OPTIONS}")
add_executable(random_worlds ${folder}/random_worlds.cpp ${folder}/laws.cpp)
target_link_libraries(random_worlds PRIVATE random_world_tools sinew_numerics)

if(SINEW_PEER AND NOT SINEW_SANITIZE)
  add_executable(random_peer EXCLUDE_FROM_ALL ${folder}/peer.cpp)
  target_include_directories(random_peer SYSTEM PRIVATE ${SINEW_PEER}/include)
  target_link_libraries(random_peer PRIVATE random_world_tools ${SINEW_PEER}/lib/libmujoco.so.3.12.0 sinew_numerics)
  target_compile_definitions(random_peer PRIVATE SINEW_PEER_LIBRARIES="${SINEW_PEER}/lib")
  set_target_properties(random_peer PROPERTIES BUILD_RPATH ${SINEW_PEER}/lib)
endif()

if(SINEW_SANITIZE MATCHES thread)
  return()  # one thread has nothing that the address sanitizer would not see
endif()
# found/ contains shrunk models that once violated a law or differed from MuJoCo
add_test(NAME regression_worlds COMMAND random_worlds --file ${folder}/found --folder random)
if(SINEW_SANITIZE)
  add_test(NAME random_worlds COMMAND random_worlds --seed 1 --count 800 --no-shrink --folder random)
  set_tests_properties(random_worlds regression_worlds PROPERTIES LABELS sanitize TIMEOUT 900)
else()
  add_test(NAME random_worlds COMMAND random_worlds --seed 1 --count 1000 --no-shrink --folder random)
endif()

if(TARGET sinew_portable_kernels)
  add_executable(random_worlds_portable $<TARGET_OBJECTS:random_worlds> $<TARGET_OBJECTS:sinew_portable_kernels>)
  target_link_libraries(random_worlds_portable PRIVATE random_world_tools)
  if(SINEW_SANITIZE)
    set(seeds 200)
  else()
    set(seeds 2000)
  endif()
  add_test(NAME avx2_and_portable_kernels_give_the_same_bits
           COMMAND ${Python3_EXECUTABLE} -B ${folder}/same_hashes.py $<TARGET_FILE:random_worlds>
                   $<TARGET_FILE:random_worlds_portable> --seed 1 --count ${seeds})
  set_tests_properties(avx2_and_portable_kernels_give_the_same_bits PROPERTIES TIMEOUT 900)
endif()
