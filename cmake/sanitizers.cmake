# SINEW_SANITIZE=address,undefined or thread: everything is built with them, and the first finding ends the program.
if(SINEW_SANITIZE)
  add_compile_options(-fsanitize=${SINEW_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${SINEW_SANITIZE})
endif()
