// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include "fake_clock.h"
#include "fuzz_parts.h"
#include "fuzz_targets.h"
#include "memory_object_store.h"
#include "trainer/checkpoint/training_position.h"
#include "trainer/node/rendezvous/rendezvous_files.h"
#include "trainer/node/settings/cluster_file.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace {

constexpr int kNodes = 3;

std::string checkAddresses(const std::string& text) {
  const auto addresses = node::clusterAddresses(text, kNodes);
  if (!addresses) return wordless(addresses.error(), ErrorCode::NotFound);
  if (addresses->size() != kNodes) return "addresses of another number of nodes";
  for (const std::string& address : *addresses)
    if (address.empty()) return "a node without an address";
  return {};
}

std::string checkPosition(const std::string& text) {
  const auto position = trainer::positionFrom(text);
  if (!position) return wordless(position.error(), ErrorCode::DataLoss);
  const auto again = trainer::positionFrom(trainer::toText(*position));
  return again && *again == *position ? "" : "written again, it is another position";
}

std::string checkBoard(std::string_view mainConfig, std::string_view failed) {
  const auto store = std::make_shared<MemoryObjectStore>();
  node::NodeSettings settings;
  settings.jobId = "ocid1.job.a";
  settings.timeout = std::chrono::seconds(1);
  if (!mainConfig.empty()) store->set(layout::mainConfig(settings.jobId), std::string(mainConfig));
  if (!failed.empty()) store->set(layout::failureFile(settings.jobId), std::string(failed));
  node::RendezvousFiles board(store, settings);
  FakeClock clock;
  if (const auto variables = board.awaitMain(clock, {}); !variables && variables.error().what.empty())
    return "a main node that is refused without a word";
  if (const auto record = board.failure({}); !record && record.error().what.empty())
    return "a failure that is refused without a word";
  return {};
}

}  // namespace

std::string tryBoard(std::string_view input) {
  Parts parts(input);
  const std::string_view mainConfig = parts.text(), failed = parts.text();
  if (std::string wrong = checkBoard(mainConfig, failed); !wrong.empty()) return wrong;
  const std::string text(parts.text());
  if (std::string wrong = checkAddresses(text); !wrong.empty()) return wrong;
  return checkPosition(text);
}

}  // namespace lockstep
