// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that do not find each other, or should not.
#include <fmt/format.h>

#include "tests/trainer_faults/trainer_fault.h"
#include "trainer/ddp/base/exit_codes.h"

namespace lockstep::testing {
namespace {

using namespace trainer;
using Steady = std::chrono::steady_clock;

FaultScene twoRanks(FaultStage& stage, const Variables& ofRankOne, const Words& more = {}) {
  FaultScene scene;
  scene.ranks.push_back(stage.start(0, 2, more));
  scene.ranks.push_back(stage.start(1, 2, more, ofRankOne));
  return scene;
}

FaultScene unknownMaster(FaultStage& stage) {
  FaultScene scene = twoRanks(stage, {{"MASTER_ADDR", "no such host"}}, {"--timeout", "5"});
  scene.exitCodes = {{0, {kExitNotJoined}}, {1, {kExitMasterUnreachable}}};
  scene.words = {" while joining: ", "MASTER_ADDR|still missing: rank 1"};
  return scene;
}

FaultScene silentMaster(FaultStage& stage) {
  FaultScene scene = twoRanks(stage, {{"MASTER_PORT", std::to_string(freePort())}}, {"--timeout", "5"});
  scene.exitCodes = {{0, {kExitNotJoined}}, {1, {kExitMasterUnreachable}}};
  scene.words = {" while joining: ", "MASTER_PORT are its own|still missing: rank 1"};
  return scene;
}

// Another program at the port: it takes connections, and is silent or hangs up.
FaultScene takenPort(FaultStage& stage, bool silent) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(stage.port()));
  FaultScene scene;
  if (::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || ::listen(fd, 16) != 0) {
    ::close(fd);
    scene.cannot = "the drawn port was taken by somebody else";
    return scene;
  }
  auto foreign = std::make_shared<std::jthread>([fd, silent](const std::stop_token& stop) {
    std::vector<int> taken;
    while (!stop.stop_requested()) {
      const int one = ::accept(fd, nullptr, nullptr);
      if (one < 0) break;
      if (silent) {
        taken.push_back(one);
      } else {
        ::close(one);
      }
    }
    for (const int one : taken) ::close(one);
  });
  scene.until = [foreign, fd] {
    foreign->request_stop();
    ::shutdown(fd, SHUT_RDWR);
    if (foreign->joinable()) foreign->join();
    ::close(fd);
  };
  scene.ranks = stage.startAll(2, {"--timeout", "8"});
  for (const std::size_t i : {0U, 1U}) scene.exitCodes[i] = {kExitPortTaken};
  scene.words = {" while joining: ", "the port is taken", "choose another MASTER_PORT"};
  return scene;
}

FaultScene rankTwice(FaultStage& stage) {
  FaultScene scene;
  for (const int rank : {0, 1, 1}) scene.ranks.push_back(stage.start(rank, 3));
  for (const std::size_t i : {0U, 1U, 2U}) scene.exitCodes[i] = {kExitRankTwice};
  scene.words = {" while joining: ", "RANK=1 is used twice", fmt::format("pid {}", scene.ranks[1].pid()),
                 fmt::format("pid {}", scene.ranks[2].pid()), "a rank of its own"};
  return scene;
}

FaultScene worldSizes(FaultStage& stage) {
  FaultScene scene;
  scene.ranks.push_back(stage.start(0, 2));
  scene.ranks.push_back(stage.start(1, 3));
  scene.ranks.push_back(stage.start(2, 3));
  for (const std::size_t i : {0U, 1U, 2U}) scene.exitCodes[i] = {kExitDisagreement};
  scene.words = {" while joining: ", "disagree about WORLD_SIZE: 2 on rank 0 (host ", "the same WORLD_SIZE"};
  return scene;
}

FaultScene missingRank(FaultStage& stage) {
  FaultScene scene;
  scene.ranks.push_back(stage.start(0, 3, {"--timeout", "4"}));
  scene.ranks.push_back(stage.start(2, 3, {"--timeout", "60"}));
  for (const std::size_t i : {0U, 1U}) scene.exitCodes[i] = {kExitNotJoined};
  scene.words = {" while joining: ", "still missing: rank 1", "logs of the missing ranks"};
  return scene;
}

FaultScene otherVersion(FaultStage& stage) {
  FaultScene scene;
  scene.ranks.push_back(stage.start(0, 2));
  scene.ranks.push_back(stage.startProgram(
      "rank-1", {std::string(LOCKSTEP_TESTS_DIR) + "/other_version_rank"}, stage.placeOf(1, 2)));
  for (const std::size_t i : {0U, 1U}) scene.exitCodes[i] = {kExitVersionsDiffer};
  scene.words = {" while joining: ", "the ranks are of different versions", "on rank 1 (host ",
                 "the same image"};
  return scene;
}

}  // namespace

void addJoiningFaults(std::vector<TrainerFault>& all) {
  all.push_back({"MASTER_ADDR unknown", "-", "rank 1 has a host name that nobody knows; --timeout 5", 30,
                 unknownMaster});
  all.push_back(
      {"nobody at MASTER_PORT", "-", "rank 1 has another port than rank 0; --timeout 5", 30, silentMaster});
  all.push_back({"port taken, silent", "-", "another program takes connections and is silent; --timeout 8",
                 40, [](FaultStage& stage) { return takenPort(stage, true); }});
  all.push_back({"port taken, hangs up", "-", "another program closes every connection; --timeout 8", 40,
                 [](FaultStage& stage) { return takenPort(stage, false); }});
  all.push_back({"RANK twice", "-", "two processes with RANK=1", 30, rankTwice});
  all.push_back({"WORLD_SIZE differs", "-", "2 on rank 0, 3 on the others", 30, worldSizes});
  all.push_back({"rank missing", "-", "rank 1 of 3 is not started; --timeout 4", 30, missingRank});
  all.push_back({"peer of another version", "-", "rank 1 speaks the next protocol", 30, otherVersion});
}

}  // namespace lockstep::testing
