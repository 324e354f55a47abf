// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "setup/step/setup_context.h"

namespace lockstep {

enum class EngineKind { Docker, DockerDesktop, RancherDesktop, Podman };
[[nodiscard]] const char* toString(EngineKind kind);  // "Docker Desktop"

/// Why an engine that is installed does not work.
enum class EngineTrouble {
  None,
  Broken,      // its program does not run
  Down,        // nothing listens at its socket
  Forbidden,   // we may not use the socket
  WrongPlace,  // DOCKER_HOST or the context names what is not there
  Hangs,       // no answer in time
  Failing,     // it answers with an error
};

/// A container engine of this machine, as its own `info` describes it.
struct ContainerEngine {
  EngineKind kind = EngineKind::Docker;
  std::filesystem::path program;
  std::string clientVersion, serverVersion;
  std::string architecture;          // of what it builds: "x86_64", "aarch64"
  std::filesystem::path rootFolder;  // where its images lie; as the engine sees it
  EngineTrouble trouble = EngineTrouble::None;
  std::string said;  // its words about the trouble
  [[nodiscard]] bool isUp() const { return trouble == EngineTrouble::None; }
  /// "Docker 28.2.2 (/usr/bin/docker)"
  [[nodiscard]] std::string toString() const;
  /// Whether its images lie on a disk of this machine, not on that of a virtual machine.
  [[nodiscard]] bool hasOwnDisk() const;
};

/// The programs that may be one: the choice alone when there is one ("docker", "podman" or a path), else
/// those in PATH and in the usual places of Docker, Docker Desktop, Rancher Desktop and Podman, without the
/// same file twice. Blocks on disk.
[[nodiscard]] std::vector<std::filesystem::path> enginePrograms(
    const std::string& choice, const std::map<std::string, std::string>& environment);

/// Asks one of these programs what it is and how it is. Runs it three times at most; some seconds at worst.
[[nodiscard]] ContainerEngine inspectEngine(const std::filesystem::path& program, const CommandRunner& run,
                                            const std::stop_token& stop);

/// The first that is up, else the first there is. Nothing when none is installed.
[[nodiscard]] std::optional<ContainerEngine> findEngine(const SetupContext& context,
                                                        const std::stop_token& stop);

/// "docker compose 2.24.5", or the program "/usr/bin/docker-compose", which is not run, since it takes its
/// time; empty: there is none.
[[nodiscard]] std::string findCompose(const ContainerEngine& engine, const SetupContext& context,
                                      const std::stop_token& stop);

/// What the engine takes for an image that it has; nothing when it has none of that name.
[[nodiscard]] std::optional<std::uint64_t> localImageSize(const ContainerEngine& engine,
                                                          const std::string& image, const CommandRunner& run,
                                                          const std::stop_token& stop);

/// Whether a train.yaml needs an image that its user builds: a container job or a cluster does, a job in a
/// conda environment does not. True when there is no train.yaml yet.
[[nodiscard]] bool needsImage(const std::optional<ClusterSpec>& spec);

}  // namespace lockstep
