// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/images/containers_step.h"
#include "cluster/document/cluster_document.h"
#include "setup/images/container_engine.h"
#include "tests/core/setup/local_world.h"

namespace lockstep::testing {
namespace {

using nlohmann::json;

StepReport containers(const LocalWorld& world) {
  return makeContainersStep(world.context())->check({});
}

/// A docker of the test: `info` is what its daemon says, `more` is tried before.
struct FakeDocker {
  json info{{"ServerVersion", "24.0.7"},
            {"OperatingSystem", "Debian GNU/Linux 12 (bookworm)"},
            {"Name", "here"},
            {"Architecture", "x86_64"}};
  std::string more, version = "Docker version 24.0.7, build afdd53b";
  int code = 0;
  std::string errors;

  void put(LocalWorld& world, const std::string& name = "docker") {
    if (!info.contains("DockerRootDir")) info["DockerRootDir"] = world.dir.path().string();
    std::ofstream(world.dir.path() / "info.json") << info.dump();
    std::ofstream(world.dir.path() / "info.err") << errors;
    world.setup.choices.engine = world.program(
        name, more + "\ncase \"$1\" in --version) echo '" + version + "';;\n" + "info) cat '" +
                  (world.dir.path() / "info.json").string() + "'; cat '" +
                  (world.dir.path() / "info.err").string() + "' >&2; exit " + std::to_string(code) + ";;\n" +
                  "compose) echo 'Docker Compose version v2.24.5';;\n" +
                  "image) echo 'No such image' >&2; exit 1;;\nesac");
  }
};

TEST(ContainersStep, AnEngineThatIsUpIsReadyWithItsComposeAndItsRoom) {
  LocalWorld world;
  FakeDocker().put(world);
  const StepReport report = containers(world);
  EXPECT_EQ(report.state, StepState::Ready) << textOf(report);
  EXPECT_TRUE(says(report, "Docker 24.0.7")) << textOf(report);
  EXPECT_TRUE(says(report, "docker compose 2.24.5")) << textOf(report);
  EXPECT_TRUE(says(report, "10.0 GB (estimated")) << textOf(report);
}

TEST(ContainersStep, WithoutOneItSaysWhatToInstall) {
  LocalWorld world;
  world.setup.choices.engine = (world.programs() / "docker").string();
  const StepReport report = containers(world);
  EXPECT_EQ(report.state, StepState::Blocked);
  EXPECT_TRUE(hasCode(report, "no-engine")) << textOf(report);
  EXPECT_TRUE(says(report, "install")) << textOf(report);
}

TEST(ContainersStep, TroublesOfTheDaemonAreToldApart) {
  const std::pair<const char*, const char*> kSaid[] = {
      {"daemon-down",
       "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker "
       "daemon running?"},
      {"daemon-forbidden",
       "permission denied while trying to connect to the Docker daemon socket at "
       "unix:///var/run/docker.sock"},
      {"daemon-address",
       "error during connect: Get \"http://nowhere:2375/v1.24/info\": dial tcp: lookup "
       "nowhere: no such host"},
      {"daemon-address", "unable to resolve docker endpoint: context \"desktop\": context not found"},
      {"daemon-failing", "Error response from daemon: client version 1.22 is too old"}};
  for (const auto& [code, said] : kSaid) {
    LocalWorld world;
    world.setup.environment["DOCKER_HOST"] = "tcp://nowhere:2375";
    FakeDocker docker;
    docker.info = {{"ServerErrors", {said}}, {"ClientInfo", json::object()}};
    docker.code = 1;
    docker.errors = "errors pretty printing info";
    docker.put(world);
    const StepReport report = containers(world);
    EXPECT_TRUE(hasCode(report, code)) << textOf(report);
    EXPECT_EQ(report.state, StepState::Blocked);
    EXPECT_TRUE(says(report, said)) << textOf(report);
  }
}

TEST(ContainersStep, ADaemonThatHangsAndAProgramThatDoesNotRunAreFound) {
  LocalWorld world;
  FakeDocker().put(world);
  const CommandRunner real = world.setup.run;
  world.setup.run = [&](const std::vector<std::string>& command, const Secret& input,
                        std::chrono::milliseconds limit,
                        const std::stop_token& stop) -> Result<CapturedExit> {
    if (command[1] == "info")
      return failure(ErrorCode::DeadlineExceeded, "cannot run docker", "no end after 8 s");
    return real(command, input, limit, stop);
  };
  EXPECT_TRUE(hasCode(containers(world), "daemon-hangs")) << textOf(containers(world));
  LocalWorld broken;
  broken.setup.choices.engine = broken.program("docker", "echo 'cannot execute binary file' >&2; exit 126");
  EXPECT_TRUE(hasCode(containers(broken), "engine-broken")) << textOf(containers(broken));
}

TEST(ContainersStep, DesktopsAndPodmanAreRecognised) {
  LocalWorld desktop;
  FakeDocker docker;
  docker.info["OperatingSystem"] = "Docker Desktop";
  docker.info["DockerRootDir"] = "/var/lib/docker";
  docker.put(desktop);
  EXPECT_TRUE(says(containers(desktop), "Docker Desktop 24.0.7"));
  EXPECT_TRUE(says(containers(desktop), "a disk of its own"));
  LocalWorld rancher;
  docker.info["OperatingSystem"] = "Rancher Desktop WSL Distribution";
  docker.put(rancher);
  EXPECT_TRUE(says(containers(rancher), "Rancher Desktop 24.0.7"));
  for (const char* name : {"podman", "docker"}) {  // the second as the package podman-docker has it
    LocalWorld world;
    FakeDocker podman;
    podman.version = "podman version 4.3.1";
    podman.info = {{"host", {{"arch", "amd64"}}},
                   {"version", {{"Version", "4.3.1"}}},
                   {"store", {{"graphRoot", world.dir.path().string()}}}};
    podman.put(world, name);
    EXPECT_TRUE(says(containers(world), "Podman 4.3.1")) << textOf(containers(world));
    EXPECT_NE(containers(world).state, StepState::Blocked) << textOf(containers(world));
  }
}

TEST(ContainersStep, OneThatIsUpIsTakenBeforeOneThatIsNot) {
  LocalWorld world;
  FakeDocker docker;
  docker.info = {{"ServerErrors", {"Cannot connect to the Docker daemon"}}};
  docker.code = 1;
  docker.put(world);
  world.setup.choices.engine.clear();
  world.setup.environment["PATH"] = world.programs().string();
  const std::string info =
      json{{"host", {{"arch", "amd64"}}}, {"version", {{"Version", "4.9"}}}, {"store", {{"graphRoot", "/"}}}}
          .dump();
  world.program("podman",
                "case \"$1\" in --version) echo podman version 4.9;; info) echo '" + info + "';; esac");
  const auto programs = enginePrograms("", world.setup.environment);
  ASSERT_GE(programs.size(), 2U);
  EXPECT_EQ(programs[0], world.programs() / "docker");
  const auto engine = inspectEngine(world.programs() / "podman", world.setup.run, {});
  EXPECT_TRUE(engine.isUp()) << engine.said;
}

TEST(ContainersStep, TheImagesOwnSizeIsAskedForWhereItIsHere) {
  LocalWorld world;
  FakeDocker docker;
  docker.more = "[ \"$1 $2\" = 'image inspect' ] && { echo 900000000000000; exit; }";
  docker.put(world);
  world.setup.choices.image = "iad.ocir.io/ns/trainer:1";
  const StepReport report = containers(world);
  EXPECT_TRUE(hasCode(report, "engine-disk-low")) << textOf(report);
  EXPECT_TRUE(says(report, "'iad.ocir.io/ns/trainer:1' takes 900000.0 GB")) << textOf(report);
}

TEST(ContainersStep, AnotherArchitectureThanTheShapesIsAWarning) {
  LocalWorld world;
  FakeDocker docker;
  docker.info["Architecture"] = "aarch64";
  docker.put(world);
  EXPECT_TRUE(hasCode(containers(world), "engine-architecture")) << textOf(containers(world));
  EXPECT_TRUE(says(containers(world), "--platform linux/amd64"));
  ClusterSpec spec;
  spec.infrastructure.shapeName = "VM.Standard.A1.Flex";
  world.setup.spec = spec;
  EXPECT_FALSE(hasCode(containers(world), "engine-architecture"));
}

TEST(ContainersStep, ComposeIsMissedOnlyForExports) {
  LocalWorld world;
  FakeDocker docker;
  docker.more =
      "[ \"$1\" = compose ] && { echo \"docker: 'compose' is not a docker command.\" >&2; exit 1; }";
  docker.put(world);
  world.setup.environment["PATH"] = world.programs().string();
  StepReport report = containers(world);
  EXPECT_TRUE(hasCode(report, "no-compose")) << textOf(report);
  EXPECT_EQ(report.state, StepState::Warning);
  world.setup.isRehearsal = true;
  EXPECT_EQ(containers(world).state, StepState::Ready) << "a rehearsal needs nothing of the engine";
  world.setup.isRehearsal.reset();
  const std::string program = world.program("docker-compose", "exit 1");
  report = containers(world);
  EXPECT_TRUE(says(report, program + " is there")) << textOf(report);
}

TEST(ContainersStep, AJobInACondaEnvironmentNeedsNone) {
  LocalWorld world;
  ClusterSpec spec;
  spec.job.emplace();
  spec.job->type = "pyTorchDistributed";
  world.setup.spec = spec;
  world.setup.choices.engine = "/nowhere/docker";
  EXPECT_EQ(containers(world).state, StepState::NotApplicable);
  spec.job->type = "container";
  world.setup.spec = spec;
  EXPECT_EQ(containers(world).state, StepState::Blocked);
}

}  // namespace
}  // namespace lockstep::testing
