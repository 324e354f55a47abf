# lockstep_embed_files(<target> <name> <root> FILES …): compiles text files below <root> into <target>, as
# `std::span<const lockstep::EmbeddedFile> lockstep::embedded::<name>()` of base/embedded_file.h.
function(lockstep_embed_files target name root)
  cmake_parse_arguments(E "" "" "FILES" ${ARGN})
  set(rows "")
  foreach(file IN LISTS E_FILES)
    file(READ "${root}/${file}" text)
    string(APPEND rows "    {\"${file}\", R\"embedded(${text})embedded\"},\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${root}/${file}")
  endforeach()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.cpp")
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT
"// Made by CMake from the files of resources/.
#include \"base/embedded_file.h\"
namespace lockstep::embedded {
namespace {
constexpr EmbeddedFile kFiles[] = {
@rows@};
}
std::span<const EmbeddedFile> @name@() { return kFiles; }
}
")
  target_sources(${target} PRIVATE "${source}")
endfunction()
