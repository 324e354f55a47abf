// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/images/container_engine.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/child_process.h"
#include "base/json_fields.h"

namespace lockstep {
namespace fs = std::filesystem;
namespace {

using Environment = std::map<std::string, std::string>;
using nlohmann::json;
using namespace std::chrono_literals;

constexpr auto kLimit = 8s;

std::vector<fs::path> foldersOf(const Environment& environment) {
  std::vector<fs::path> folders;
  const std::string path = environmentValue(environment, "PATH");
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find(':', at), path.size());
    if (end > at) folders.emplace_back(path.substr(at, end - at));
    at = end + 1;
  }
  return folders;
}

// Where the installers put them without touching PATH: Docker Desktop, Rancher Desktop, snap.
std::vector<fs::path> usualFolders(const Environment& environment) {
  std::vector<fs::path> folders;
  if (const std::string home = environmentValue(environment, "HOME"); !home.empty())
    folders = {fs::path(home) / ".rd/bin", fs::path(home) / ".docker/bin", fs::path(home) / "bin"};
  for (const char* folder : {"/usr/bin", "/usr/local/bin", "/opt/docker-desktop/bin",
                             "/opt/rancher-desktop/resources/resources/"
                             "linux/bin",
                             "/snap/bin"})
    folders.emplace_back(folder);
  return folders;
}

bool isProgram(const fs::path& file) {
  std::error_code ec;
  return fs::is_regular_file(file, ec) && ::access(file.c_str(), X_OK) == 0;
}

void addProgram(std::vector<fs::path>& programs, const fs::path& file) {
  if (!isProgram(file)) return;
  const auto isSame = [&](const fs::path& other) {
    std::error_code ec;
    return fs::equivalent(other, file, ec);
  };
  if (std::none_of(programs.begin(), programs.end(), isSame)) programs.push_back(file);
}

bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

std::string textAt(const json& object, const char* pointer) {
  const json::json_pointer where(pointer);
  return object.is_object() && object.contains(where) && object.at(where).is_string()
             ? object.at(where).get<std::string>()
             : std::string();
}

std::string firstLine(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_first_of("\r\n", first) - first);
}

// "Docker version 28.2.2, build e6534b4" | "podman version 4.3.1" -> the number.
std::string versionIn(const std::string& text) {
  const std::size_t first = text.find_first_of("0123456789");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_first_not_of("0123456789.", first) - first);
}

EngineTrouble troubleOf(const std::string& said) {
  if (has(said, "permission denied")) return EngineTrouble::Forbidden;
  if (has(said, "no such host") || has(said, "unable to parse docker host") ||
      has(said, "context not found") || has(said, "unable to resolve docker endpoint"))
    return EngineTrouble::WrongPlace;
  if (has(said, "Cannot connect to the Docker daemon") || has(said, "connection refused") ||
      has(said, "no such file or directory") || has(said, "Cannot connect to Podman"))
    return EngineTrouble::Down;
  return EngineTrouble::Failing;
}

EngineKind dockerKindOf(const json& info, const fs::path& program) {
  const std::string system = textAt(info, "/OperatingSystem") + " " + textAt(info, "/Name");
  if (has(system, "Docker Desktop") || has(system, "docker-desktop")) return EngineKind::DockerDesktop;
  if (has(system, "Rancher") || has(system, "rancher")) return EngineKind::RancherDesktop;
  if (has(program.string(), "/.rd/") || has(program.string(), "rancher-desktop"))
    return EngineKind::RancherDesktop;
  if (has(program.string(), "docker-desktop")) return EngineKind::DockerDesktop;
  return EngineKind::Docker;
}

void readDockerInfo(ContainerEngine& engine, const json& info) {
  engine.kind = dockerKindOf(info, engine.program);
  engine.serverVersion = textAt(info, "/ServerVersion");
  engine.architecture = textAt(info, "/Architecture");
  engine.rootFolder = textAt(info, "/DockerRootDir");
}

void readPodmanInfo(ContainerEngine& engine, const json& info) {
  engine.serverVersion = textAt(info, "/version/Version");
  engine.architecture = textAt(info, "/host/arch");
  if (engine.architecture == "amd64") engine.architecture = "x86_64";
  if (engine.architecture == "arm64") engine.architecture = "aarch64";
  engine.rootFolder = textAt(info, "/store/graphRoot");
}

// `docker info` prints its JSON even when there is no daemon, with what went wrong among it.
std::string complaintOf(const json& info, const CapturedExit& said) {
  const json& errors = arrayField(info, "ServerErrors");
  if (!errors.empty() && errors[0].is_string()) return firstLine(errors[0].get<std::string>());
  return firstLine(said.errors);
}

void askInfo(ContainerEngine& engine, const CommandRunner& run, const std::stop_token& stop) {
  const bool podman = engine.kind == EngineKind::Podman;
  const std::string form = podman ? "json" : "{{json .}}";
  const auto said = run({engine.program.string(), "info", "--format", form}, Secret(), kLimit, stop);
  if (!said) {
    const bool late = said.error().code == ErrorCode::DeadlineExceeded;
    engine.trouble = late ? EngineTrouble::Hangs : EngineTrouble::Broken;
    engine.said = said.error().what + ": " + said.error().cause;
    return;
  }
  const json info = json::parse(said->output, nullptr, false);
  if (podman) {
    readPodmanInfo(engine, info);
  } else {
    readDockerInfo(engine, info);
  }
  engine.said = complaintOf(info, *said);
  if (said->exit.ok() && !engine.serverVersion.empty()) return;
  engine.trouble = troubleOf(engine.said);
}

}  // namespace

const char* toString(EngineKind kind) {
  switch (kind) {
    case EngineKind::Docker:
      return "Docker";
    case EngineKind::DockerDesktop:
      return "Docker Desktop";
    case EngineKind::RancherDesktop:
      return "Rancher Desktop";
    case EngineKind::Podman:
      return "Podman";
  }
  return "";
}

std::string ContainerEngine::toString() const {
  const std::string& version = serverVersion.empty() ? clientVersion : serverVersion;
  return fmt::format("{} {} ({})", lockstep::toString(kind), version.empty() ? "?" : version,
                     program.string());
}

bool ContainerEngine::hasOwnDisk() const {
  std::error_code ec;
  const bool isVirtual = kind == EngineKind::DockerDesktop || kind == EngineKind::RancherDesktop;
  return !isVirtual && !rootFolder.empty() && fs::is_directory(rootFolder, ec);
}

std::vector<fs::path> enginePrograms(const std::string& choice, const Environment& environment) {
  std::vector<fs::path> programs;
  if (choice.find('/') != std::string::npos) {
    addProgram(programs, choice);
    return programs;
  }
  const auto inPath = foldersOf(environment), usual = usualFolders(environment);
  for (const char* name : {"docker", "podman"}) {
    if (!choice.empty() && choice != name) continue;
    for (const fs::path& folder : inPath) addProgram(programs, folder / name);
    for (const fs::path& folder : usual) addProgram(programs, folder / name);
  }
  return programs;
}

ContainerEngine inspectEngine(const fs::path& program, const CommandRunner& run,
                              const std::stop_token& stop) {
  ContainerEngine engine;
  engine.program = program;
  engine.kind = program.filename() == "podman" ? EngineKind::Podman : EngineKind::Docker;
  const auto said = run({program.string(), "--version"}, Secret(), kLimit, stop);
  if (!said || !said->exit.ok()) {
    engine.trouble = EngineTrouble::Broken;
    engine.said = said ? firstLine(said->errors) : said.error().what + ": " + said.error().cause;
    return engine;
  }
  engine.clientVersion = versionIn(said->output);
  // The package podman-docker calls podman "docker".
  if (has(said->output, "podman")) engine.kind = EngineKind::Podman;
  askInfo(engine, run, stop);
  return engine;
}

std::optional<ContainerEngine> findEngine(const SetupContext& context, const std::stop_token& stop) {
  std::optional<ContainerEngine> first;
  for (const fs::path& program : enginePrograms(context.choices().engine, context.environment())) {
    ContainerEngine engine = inspectEngine(program, context.run(), stop);
    const bool up = engine.isUp();
    if (up || !first) first = std::move(engine);
    if (up) break;
  }
  return first;
}

std::string findCompose(const ContainerEngine& engine, const SetupContext& context,
                        const std::stop_token& stop) {
  const auto said = context.run()({engine.program.string(), "compose", "version"}, Secret(), kLimit, stop);
  if (said && said->exit.ok()) return "docker compose " + versionIn(said->output);
  for (const char* name : {"docker-compose", "podman-compose"}) {
    for (const fs::path& folder : foldersOf(context.environment()))
      if (isProgram(folder / name)) return (folder / name).string();
  }
  return {};
}

std::optional<std::uint64_t> localImageSize(const ContainerEngine& engine, const std::string& image,
                                            const CommandRunner& run, const std::stop_token& stop) {
  if (image.empty() || image.starts_with("-") || !engine.isUp()) return std::nullopt;
  const auto said = run({engine.program.string(), "image", "inspect", "--format", "{{.Size}}", image},
                        Secret(), kLimit, stop);
  if (!said || !said->exit.ok()) return std::nullopt;
  const std::string text = firstLine(said->output);
  std::uint64_t size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(size) : std::nullopt;
}

bool needsImage(const std::optional<ClusterSpec>& spec) {
  return !spec || !spec->job || spec->job->isContainer();
}

}  // namespace lockstep
