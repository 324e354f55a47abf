# Files of one room are compiled several at a time (CMake's unity build): what they include is then read once for all of
# them, which halves the time of a build from nothing (docs/decisions/0048-build-times.md). A unit is one translation unit, in
# which the file-local names of its files meet; so files go together only if none of them mentions a name that another one
# keeps to itself. Nobody has to know the names of his neighbours: a file that fits nowhere is compiled alone.
set(LOCKSTEP_UNIT_SIZE 8)

# A local name may hide one that a neighbouring file declares, and a class may hold what its own file declares for itself:
# neither is a fault of the file. Without units (preset dev) names that hide others are warned of.
set(LOCKSTEP_UNIT_WARNINGS [[
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wsubobject-linkage"
#endif]])

# Of a text: `words`, all of them; `calls`, those of them that are called, but as no member of something that is named.
function(lockstep_words text words calls)
  string(REGEX REPLACE "//[^\n]*" "" text "${text}")
  string(REGEX REPLACE "[][;\"]" " " text "${text}")
  string(REGEX MATCHALL "[A-Za-z_][A-Za-z0-9_]*" all "${text}")
  list(REMOVE_DUPLICATES all)
  set(${words} "${all}" PARENT_SCOPE)
  string(REGEX MATCHALL "[^.>:A-Za-z0-9_][A-Za-z_][A-Za-z0-9_]*\\(" called "${text}")
  string(REGEX REPLACE "[^A-Za-z0-9_;]" "" called "${called}")
  list(REMOVE_DUPLICATES called)
  set(${calls} "${called}" PARENT_SCOPE)
endfunction()

# What a line at the left margin declares: the name of a function or of anything else.
function(lockstep_declared line function other)
  set(${function} "" PARENT_SCOPE)
  set(${other} "" PARENT_SCOPE)
  if(line MATCHES "^using [^=]*$|^(using )?namespace ")
    return()  # what may be said twice
  endif()
  foreach(shape
      "^(struct|class|enum class|enum|union|using) ([A-Za-z0-9_]+)"  # a type
      "^([^(]*[ *&>])?([A-Za-z0-9_]+) *[={]"                          # a value
      "^([^(]*[ *&])?([A-Za-z0-9_]+) *$")                             # a value without one
    if(line MATCHES "${shape}")
      set(${other} "${CMAKE_MATCH_2}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  if(line MATCHES "^([^(]*[ *&>])?([A-Za-z0-9_]+)\\(")
    set(${function} "${CMAKE_MATCH_2}" PARENT_SCOPE)
  endif()
endfunction()

# The names that a text declares in its unnamed namespaces.
function(lockstep_local_names text functions others)
  set(allFunctions "")
  set(allOthers "")
  string(REGEX REPLACE "[][;\"]" " " text "${text}")
  string(FIND "${text}" "\nnamespace {\n" begin)
  while(NOT begin EQUAL -1)
    math(EXPR begin "${begin} + 12")
    string(SUBSTRING "${text}" ${begin} -1 text)
    string(FIND "${text}" "\n}  // namespace\n" end)
    if(text MATCHES "^\n[^\n]*\n}\n" OR end EQUAL -1)
      string(FIND "${text}" "\n}\n" end)
    endif()
    string(SUBSTRING "${text}" 0 ${end} block)
    string(SUBSTRING "${text}" ${end} -1 text)
    string(REGEX MATCHALL "\n[A-Za-z_][^\n]*" lines "${block}")
    foreach(line IN LISTS lines)
      string(STRIP "${line}" line)
      lockstep_declared("${line}" function other)
      list(APPEND allFunctions ${function})
      list(APPEND allOthers ${other})
    endforeach()
    string(FIND "${text}" "\nnamespace {\n" begin)
  endwhile()
  set(${functions} "${allFunctions}" PARENT_SCOPE)
  set(${others} "${allOthers}" PARENT_SCOPE)
endfunction()

# Whether one of the names is among the words.
function(lockstep_meets names words result)
  set(${result} FALSE PARENT_SCOPE)
  foreach(name IN LISTS names)
    if(name IN_LIST words)
      set(${result} TRUE PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# Puts each source of a target into the first unit that has room and in which no name means something else then.
function(lockstep_divide_into_units target)
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  set(units 0)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${folder}")
    cmake_path(IS_PREFIX PROJECT_BINARY_DIR "${source}" isMade)
    if(isMade OR NOT source MATCHES "\\.cpp$")
      continue()
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
    file(READ "${source}" text)
    if(text MATCHES "\n#define |\\.moc\"")
      continue()  # what it defines would reach its neighbours; what is made of it belongs to it alone
    endif()
    lockstep_words("${text}" words calls)
    lockstep_local_names("${text}" functions others)
    set(unit 1)
    while(unit LESS_EQUAL units)
      lockstep_meets("${functions}" "${calls_${unit}}" functionMeets)
      lockstep_meets("${others}" "${words_${unit}}" otherMeets)
      lockstep_meets("${functions_${unit}}" "${calls}" itsFunctionMeets)
      lockstep_meets("${others_${unit}}" "${words}" itsOtherMeets)
      if(files_${unit} LESS LOCKSTEP_UNIT_SIZE AND NOT functionMeets AND NOT otherMeets AND NOT itsFunctionMeets
         AND NOT itsOtherMeets)
        break()
      endif()
      math(EXPR unit "${unit} + 1")
    endwhile()
    if(unit GREATER units)
      set(units ${unit})
      set(files_${unit} 0)
    endif()
    math(EXPR files_${unit} "${files_${unit}} + 1")
    foreach(kind words calls functions others)
      list(APPEND ${kind}_${unit} ${${kind}})
    endforeach()
    set_source_files_properties("${source}" TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP "unit${unit}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP
    UNITY_BUILD_CODE_BEFORE_INCLUDE "${LOCKSTEP_UNIT_WARNINGS}")
endfunction()

# lockstep_build_in_units(<folder>…): all targets of ours in these folders and below.
function(lockstep_build_in_units)
  foreach(folder IN LISTS ARGN)
    get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
      get_target_property(type ${target} TYPE)
      if(type MATCHES "EXECUTABLE|STATIC_LIBRARY|OBJECT_LIBRARY")
        get_target_property(isUnit ${target} UNITY_BUILD)
        if(NOT isUnit)
          lockstep_divide_into_units(${target})
        endif()
      endif()
    endforeach()
    get_property(below DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
    lockstep_build_in_units(${below})
  endforeach()
endfunction()
