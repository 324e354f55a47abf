# Installation and the Debian packages: `lockstep` (desktop, command line, rehearsal region, node agent) and
# `lockstep-trainer` (the program that needs LibTorch), so that a laptop that only launches and watches stays small.
#   cmake --build build/release --target packages     packaging/check-deb.sh proves them on a bare Debian 12
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # packaging needs no tests built
foreach(program lockstep lockstep-desktop lockstep-rehearsal lockstep-node)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT lockstep)
  endif()
endforeach()
if(TARGET lockstep-trainer)
  install(TARGETS lockstep-trainer RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT trainer)
endif()

install(FILES packaging/io.github.lockstep.Lockstep.desktop
        DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT lockstep)
install(FILES packaging/io.github.lockstep.Lockstep.mime.xml
        DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages RENAME io.github.lockstep.Lockstep.xml COMPONENT lockstep)
install(FILES packaging/io.github.lockstep.Lockstep.metainfo.xml
        DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT lockstep)
install(FILES packaging/io.github.lockstep.Lockstep.svg
        DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT lockstep)
install(DIRECTORY resources/starter/
        DESTINATION ${CMAKE_INSTALL_DATADIR}/lockstep/starter COMPONENT lockstep)

# Compressed as Debian wants it: changelog and man pages with gzip -9n, copyright as it is.
find_program(LOCKSTEP_GZIP gzip REQUIRED)
function(lockstep_install_gzipped source name destination component)
  set(output ${CMAKE_BINARY_DIR}/packaging/${component}/${name}.gz)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/packaging/${component})
  execute_process(COMMAND ${LOCKSTEP_GZIP} -9nc ${PROJECT_SOURCE_DIR}/${source} OUTPUT_FILE ${output})
  install(FILES ${output} DESTINATION ${destination} COMPONENT ${component})
endfunction()
foreach(component lockstep trainer)
  set(package lockstep)
  if(component STREQUAL "trainer")
    set(package lockstep-trainer)
  endif()
  lockstep_install_gzipped(packaging/changelog changelog ${CMAKE_INSTALL_DATADIR}/doc/${package} ${component})
  install(FILES packaging/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
endforeach()
lockstep_install_gzipped(packaging/lockstep.1 lockstep.1 ${CMAKE_INSTALL_MANDIR}/man1 lockstep)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lockstep)
set(CPACK_PACKAGE_VENDOR "Lockstep")
set(CPACK_PACKAGE_CONTACT "Lockstep developers <dev@lockstep.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "launch and watch distributed training on OCI Data Science")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL lockstep trainer)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_LOCKSTEP_PACKAGE_NAME lockstep)
set(CPACK_DEBIAN_LOCKSTEP_PACKAGE_DEPENDS "ca-certificates, libqt6svg6, fonts-dejavu-core")
set(CPACK_DEBIAN_LOCKSTEP_PACKAGE_RECOMMENDS "lockstep-trainer, qt6-translations-l10n")
set(CPACK_COMPONENT_LOCKSTEP_DESCRIPTION
"Configures, launches and monitors training clusters on Data Science Jobs of the
Oracle cloud: a desktop application with a designer for train.yaml and a live
dashboard, a command line, and an embedded region for rehearsing without a
tenancy.")
set(CPACK_DEBIAN_TRAINER_PACKAGE_NAME lockstep-trainer)
set(CPACK_DEBIAN_TRAINER_PACKAGE_DEPENDS "lockstep (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_TRAINER_DESCRIPTION
"Data-parallel trainer in C++ on LibTorch, with Gloo collectives, that the
rehearsal region of the lockstep package runs and that writes its metrics as the
dashboard reads them.")
include(CPack)

# Not CPack's own `package`, which would build the tests first.
add_custom_target(packages COMMAND ${CMAKE_CPACK_COMMAND} WORKING_DIRECTORY ${CMAKE_BINARY_DIR} USES_TERMINAL)
add_dependencies(packages programs)
