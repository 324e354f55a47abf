// SPDX-License-Identifier: GPL-3.0-or-later
// The container engine that builds and pushes images: there, up, with room, and with compose.
#include "setup/images/containers_step.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/atomic_file.h"
#include "oci/services/registry_client.h"
#include "setup/images/container_engine.h"
#include "setup/machine/machine_local.h"

namespace lockstep {
namespace {

/// For an image that is not here to be measured. Our own estimate: a CUDA build of PyTorch unpacks to 6 to
/// 8 GB, and a build keeps the layers that it replaces beside it.
constexpr std::uint64_t kUsualImage = 10'000'000'000;

class ContainersStep final : public SetupStep {
 public:
  explicit ContainersStep(SetupContextPtr context) : context_(std::move(context)) {}
  [[nodiscard]] std::string id() const override { return "containers"; }
  StepReport check(const std::stop_token& stop) override;

 private:
  [[nodiscard]] bool isInRegistry(const std::stop_token& stop) const;
  [[nodiscard]] Finding softened(Finding finding, const std::stop_token& stop) const;
  [[nodiscard]] Finding troubleFinding(const ContainerEngine& engine) const;
  [[nodiscard]] Finding roomFinding(const ContainerEngine& engine, const std::stop_token& stop) const;
  [[nodiscard]] std::vector<Finding> runningFindings(const ContainerEngine& engine,
                                                     const std::stop_token& stop) const;

  SetupContextPtr context_;
};

// By ID and ID_LIKE of /etc/os-release.
std::string installCommand() {
  const std::string text = readFile("/etc/os-release", 1 << 16).value_or("");
  const auto isLike = [&](const char* name) { return text.find(name) != std::string::npos; };
  if (isLike("debian") || isLike("ubuntu"))
    return "install one: sudo apt-get install docker.io docker-compose (or podman)";
  if (isLike("fedora") || isLike("rhel")) return "install one: sudo dnf install podman podman-docker";
  if (isLike("suse")) return "install one: sudo zypper install docker docker-compose";
  return "install Docker (https://docs.docker.com/engine/install) or Podman (https://podman.io)";
}

Finding notInstalled(const std::string& choice) {
  const std::string what = choice.empty()
                               ? "no container engine is installed"
                               : fmt::format("the chosen container engine '{}' is not there", choice);
  return {StepState::Blocked, what,
          "looked for docker and podman in PATH and where Docker Desktop and Rancher Desktop put them",
          installCommand(), "no-engine"};
}

const char* codeOf(EngineTrouble trouble) {
  switch (trouble) {
    case EngineTrouble::None:
      break;
    case EngineTrouble::Broken:
      return "engine-broken";
    case EngineTrouble::Down:
      return "daemon-down";
    case EngineTrouble::Forbidden:
      return "daemon-forbidden";
    case EngineTrouble::WrongPlace:
      return "daemon-address";
    case EngineTrouble::Hangs:
      return "daemon-hangs";
    case EngineTrouble::Failing:
      return "daemon-failing";
  }
  return "";
}

std::string startRemedy(const ContainerEngine& engine) {
  switch (engine.kind) {
    case EngineKind::DockerDesktop:
      return "start Docker Desktop: systemctl --user start docker-desktop";
    case EngineKind::RancherDesktop:
      return "start Rancher Desktop and wait until it says that it is running";
    case EngineKind::Podman:
      return "run: podman machine start (or podman system migrate after an update)";
    case EngineKind::Docker:
      return "start it: sudo systemctl start docker";
  }
  return {};
}

std::string remedyFor(const ContainerEngine& engine, const std::string& address) {
  switch (engine.trouble) {
    case EngineTrouble::Down:
      return startRemedy(engine) +
             (address.empty() ? "" : fmt::format("; or correct DOCKER_HOST, which is '{}'", address));
    case EngineTrouble::Forbidden:
      return "add yourself to its group, then log in anew: sudo usermod -aG docker $USER";
    case EngineTrouble::WrongPlace:
      return address.empty() ? "choose a context that exists: docker context ls, docker context use default"
                             : fmt::format("correct or unset DOCKER_HOST, which is '{}'", address);
    case EngineTrouble::Hangs:
      return "restart it: sudo systemctl restart docker; a full disk makes it hang, too";
    default:
      return fmt::format("run '{} info' and fix what it says", engine.program.string());
  }
}

// The compute shapes of OCI with an Arm processor have an A in their family (oci-rest-contract 6).
bool isArmShape(const std::string& shape) {
  return shape.find(".A1.") != std::string::npos || shape.find(".A2.") != std::string::npos ||
         shape.find(".A4.") != std::string::npos;
}

std::optional<Finding> architectureFinding(const ContainerEngine& engine,
                                           const std::optional<ClusterSpec>& spec) {
  const std::string shape = spec ? spec->infrastructure.shapeName.value_or("") : std::string();
  const std::string wanted = isArmShape(shape) ? "aarch64" : "x86_64";
  if (engine.architecture.empty() || engine.architecture == wanted) return std::nullopt;
  const char* platform = wanted == "x86_64" ? "linux/amd64" : "linux/arm64";
  return Finding{StepState::Warning,
                 fmt::format("the engine builds images for {}, but {} needs {}", engine.architecture,
                             shape.empty() ? "a shape without Arm" : "shape " + shape, wanted),
                 fmt::format("{} info: Architecture {}", engine.program.string(), engine.architecture),
                 fmt::format("build with --platform {}", platform), "engine-architecture"};
}

Finding composeFinding(const std::string& compose) {
  if (!compose.empty()) return {StepState::Ready, compose + " is there", {}, {}, {}};
  return {StepState::Warning,
          "neither 'docker compose' nor docker-compose is there: only exports to docker compose need it",
          {},
          "install the package docker-compose (docker-compose-plugin from Docker's own packages)",
          "no-compose"};
}

// Whatever the registry says: an image that is there needs no engine here.
bool ContainersStep::isInRegistry(const std::stop_token& stop) const {
  const auto name = oci::parseImageName(context_->image());
  if (!name || name->tag.empty()) return false;
  const auto services = context_->services();
  const auto compartment = services ? context_->compartment(stop) : failure(services.error());
  if (!compartment || isToBeMade(*compartment)) return false;
  const auto images = oci::RegistryClient(*services).listImages(compartment->id, stop, name->repository);
  if (!images) return false;
  for (const oci::ContainerImage& image : *images)
    if (image.repositoryName == name->repository && image.version == name->tag) return true;
  return false;
}

Finding forgiven(Finding finding) {
  finding.state = StepState::NotApplicable;
  finding.text += "; a rehearsal needs none: it runs programs of this machine";
  return finding;
}

Finding ContainersStep::softened(Finding finding, const std::stop_token& stop) const {
  if (context_->isRehearsal()) return forgiven(std::move(finding));
  if (!isInRegistry(stop)) return finding;
  finding.state = StepState::Warning;
  finding.text += fmt::format("; the image '{}' is in the registry already, so a launch needs none here",
                              context_->image());
  return finding;
}

Finding ContainersStep::troubleFinding(const ContainerEngine& engine) const {
  const auto& environment = context_->environment();
  const auto address = environment.find("DOCKER_HOST");
  const char* what = engine.trouble == EngineTrouble::Broken      ? "does not run"
                     : engine.trouble == EngineTrouble::Down      ? "is installed, but its daemon is down"
                     : engine.trouble == EngineTrouble::Forbidden ? "is up, but you may not use it"
                     : engine.trouble == EngineTrouble::Hangs     ? "does not answer within 8 s"
                     : engine.trouble == EngineTrouble::Failing   ? "does not work"
                                                                  : "is looked for in the wrong place";
  return {StepState::Blocked, fmt::format("{} {}", engine.toString(), what), engine.said,
          remedyFor(engine, address == environment.end() ? "" : address->second), codeOf(engine.trouble)};
}

Finding ContainersStep::roomFinding(const ContainerEngine& engine, const std::stop_token& stop) const {
  if (!engine.hasOwnDisk()) {
    return {StepState::Ready,
            fmt::format("the images of {} lie on a disk of its own, whose room is not seen from here",
                        toString(engine.kind)),
            {},
            "look under Settings, Resources when a build says 'no space left on device'",
            {}};
  }
  const auto known = localImageSize(engine, context_->image(), context_->run(), stop);
  const std::uint64_t wanted = known.value_or(kUsualImage);
  const FreeSpace space = freeSpaceAt(engine.rootFolder);
  const std::string why =
      known ? fmt::format("the image '{}' takes {}", context_->image(), sizeText(*known))
            : fmt::format(
                  "an image for training takes about {} (estimated: PyTorch with CUDA and the "
                  "layers that a build keeps)",
                  sizeText(kUsualImage));
  const std::string text = fmt::format("'{}' of {} has {} free; {}", engine.rootFolder.string(),
                                       toString(engine.kind), sizeText(space.bytes), why);
  if (space.bytes >= wanted) return {StepState::Ready, text, {}, {}, {}};
  // An image that is here needs no room of its size a second time, unless it is built again.
  const bool hopeless = !known && space.bytes < wanted / 5;
  return {hopeless ? StepState::Blocked : StepState::Warning,
          text,
          {},
          fmt::format("free some: {} system prune (removes what no container uses)", engine.program.string()),
          hopeless ? "engine-disk-full" : "engine-disk-low"};
}

std::vector<Finding> ContainersStep::runningFindings(const ContainerEngine& engine,
                                                     const std::stop_token& stop) const {
  std::vector<Finding> findings{{StepState::Ready,
                                 engine.toString() + " is up",
                                 fmt::format("{} info: {}", engine.program.string(), engine.serverVersion),
                                 {},
                                 {}}};
  findings.push_back(roomFinding(engine, stop));
  if (auto odd = architectureFinding(engine, context_->spec())) findings.push_back(std::move(*odd));
  findings.push_back(composeFinding(findCompose(engine, *context_, stop)));
  return findings;
}

StepReport ContainersStep::check(const std::stop_token& stop) {
  if (!needsImage(context_->spec())) {
    return reportOf({{StepState::NotApplicable,
                      "the train.yaml runs in a conda environment of the service: no image is built",
                      {},
                      {}}});
  }
  const auto engine = findEngine(*context_, stop);
  if (!engine) return reportOf({softened(notInstalled(context_->choices().engine), stop)});
  if (!engine->isUp()) return reportOf({softened(troubleFinding(*engine), stop)});
  std::vector<Finding> findings = runningFindings(*engine, stop);
  for (Finding& one : findings)
    if (context_->isRehearsal() && one.state != StepState::Ready) one = forgiven(std::move(one));
  return reportOf(std::move(findings));
}

}  // namespace

std::unique_ptr<SetupStep> makeContainersStep(SetupContextPtr context) {
  return std::make_unique<ContainersStep>(std::move(context));
}

}  // namespace lockstep
