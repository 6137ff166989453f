# The command: build/sinew.
file(GLOB SINEW_TOOL_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/sinew/*.cpp)
if(SINEW_TOOL_SOURCES)
  find_package(CLI11 REQUIRED)
  # the models of `sinew new`, as rows of a table
  file(GLOB starters CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/sinew/starters/*.xml)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${starters})
  set(rows "")
  foreach(starter IN LISTS starters)
    get_filename_component(name ${starter} NAME_WE)
    file(READ ${starter} text)
    string(APPEND rows "{\"${name}\", R\"starter(${text})starter\"},\n")
  endforeach()
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/starters/starters.inc CONTENT "${rows}")
  sinew_join(SINEW_TOOL_SOURCES command 7 ${SINEW_TOOL_SOURCES})
  set_source_files_properties(${SINEW_TOOL_SOURCES} PROPERTIES COMPILE_OPTIONS "${SINEW_TOOL_OPTIONS}")
  add_executable(sinew_command ${SINEW_TOOL_SOURCES})
  set_target_properties(sinew_command PROPERTIES OUTPUT_NAME sinew RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  target_include_directories(sinew_command PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tools
                                                   ${PROJECT_BINARY_DIR}/starters)
  target_link_libraries(sinew_command PRIVATE sinew fmt::fmt nlohmann_json::nlohmann_json CLI11::CLI11 sinew_numerics)
  if(SINEW_HAS_RENDER)
    target_link_libraries(sinew_command PRIVATE sinew_render)
    target_compile_definitions(sinew_command PRIVATE SINEW_HAS_RENDER)
  endif()
  if(SINEW_HAS_VIEW)
    target_link_libraries(sinew_command PRIVATE sinew_view)
    target_compile_definitions(sinew_command PRIVATE SINEW_HAS_VIEW)
  endif()
  install(TARGETS sinew_command COMPONENT command)

  # what it says about itself: manual pages and completion, which packages install
  if(NOT SINEW_SANITIZE)
    set(manual ${PROJECT_BINARY_DIR}/manual)
    add_custom_command(OUTPUT ${manual}/sinew.1 ${manual}/sinew.bash ${manual}/_sinew ${manual}/sinew.fish
                       COMMAND sinew_command manual --man ${manual}
                       COMMAND sh -c "gzip -9 -n -f -k ${manual}/*.1"
                       COMMAND sinew_command completion bash > ${manual}/sinew.bash
                       COMMAND sinew_command completion zsh > ${manual}/_sinew
                       COMMAND sinew_command completion fish > ${manual}/sinew.fish
                       DEPENDS sinew_command VERBATIM)
    add_custom_target(manual ALL DEPENDS ${manual}/sinew.1)
    install(DIRECTORY ${manual}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command FILES_MATCHING PATTERN *.1.gz)
    install(FILES ${manual}/sinew.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME sinew
            COMPONENT command)
    install(FILES ${manual}/_sinew DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT command)
    install(FILES ${manual}/sinew.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT command)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/models DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew COMPONENT command)
  endif()
endif()
