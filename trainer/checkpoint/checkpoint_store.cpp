// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/checkpoint/checkpoint_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/digest.h"
#include "base/text/encoding.h"

namespace lockstep::trainer {
namespace {

constexpr const char* kLastGood = "last-good";
constexpr const char* kTraining = "training";
constexpr const char* kManifestEnd = ".json";

std::string nameOf(long long step) {
  return fmt::format("step-{:010}", step);
}

std::optional<long long> stepIn(std::string_view name) {
  if (!name.starts_with("step-")) return std::nullopt;
  name.remove_prefix(5);
  long long step = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), step);
  if (error != std::errc() || end == name.data()) return std::nullopt;
  const std::string_view rest(end, static_cast<std::size_t>(name.data() + name.size() - end));
  return rest.empty() || rest == kManifestEnd ? std::optional(step) : std::nullopt;
}

}  // namespace

CheckpointStore::CheckpointStore(std::shared_ptr<ObjectStore> store, std::string prefix, int keep)
    : store_(std::move(store)),
      prefix_(std::move(prefix)),
      keep_(static_cast<std::size_t>(std::max(keep, 1))) {}

std::string CheckpointStore::describe() const {
  const std::string root = store_->describe();
  if (prefix_.empty()) return root;
  return fmt::format("{}/{}", root, std::string_view(prefix_).substr(0, prefix_.size() - 1));
}

Result<void> CheckpointStore::beginTraining(const std::stop_token& stop) {
  training_ = toHex(randomBytes(16));
  return store_->put(prefix_ + kTraining, training_ + "\n", stop);
}

Result<bool> CheckpointStore::continueTraining(const std::stop_token& stop) {
  const auto text = store_->get(prefix_ + kTraining, stop);
  if (!text && text.error().code != ErrorCode::NotFound) return failure(text.error());
  training_ = text ? text->substr(0, text->find('\n')) : std::string();
  return !training_.empty();
}

Result<void> CheckpointStore::save(long long step, std::string_view bytes, const std::stop_token& stop) {
  const std::string name = nameOf(step);
  const nlohmann::json manifest = {{"v", 1},
                                   {"step", step},
                                   {"bytes", bytes.size()},
                                   {"sha256", toHex(sha256(bytes))},
                                   {"training", training_}};
  if (auto put = store_->put(prefix_ + name + ".pt", bytes, stop); !put) return put;
  if (auto put = store_->put(prefix_ + name + kManifestEnd, manifest.dump() + "\n", stop); !put) return put;
  if (auto put = store_->put(prefix_ + kLastGood, name + "\n", stop); !put) return put;
  return removeOld(step, stop);
}

Result<std::vector<long long>> CheckpointStore::steps(const std::stop_token& stop) {
  const auto objects = store_->list(prefix_ + "step-", {}, stop);
  if (!objects) return failure(objects.error());
  std::vector<long long> steps;
  for (const ObjectInfo& object : *objects) {
    if (!object.name.ends_with(kManifestEnd)) continue;
    if (const auto step = stepIn(std::string_view(object.name).substr(prefix_.size())))
      steps.push_back(*step);
  }
  std::ranges::sort(steps);
  return steps;
}

Result<void> CheckpointStore::removeOld(long long newest, const std::stop_token& stop) {
  auto all = steps(stop);
  if (!all) return failure(all.error());
  // What is newer than the newest is of a training that went on from an older one: it is never last good
  // again.
  std::erase(*all, newest);
  const auto isLater = [newest](long long step) { return step > newest; };
  std::ranges::stable_partition(*all, isLater);
  while (all->size() + 1 > keep_) {
    const std::string name = prefix_ + nameOf(all->front());
    all->erase(all->begin());
    for (const char* end : {kManifestEnd, ".pt"}) {
      const auto removed = store_->remove(name + end, stop);
      if (!removed && removed.error().code != ErrorCode::NotFound) return removed;
    }
  }
  return {};
}

Result<std::string> CheckpointStore::loadStep(long long step, const std::stop_token& stop) {
  const std::string name = prefix_ + nameOf(step);
  const auto text = store_->get(name + kManifestEnd, stop);
  if (!text) return failure(text.error());
  const auto manifest = nlohmann::json::parse(*text, nullptr, false);
  const auto broken = [&](const std::string& cause) {
    return failure(ErrorCode::DataLoss, fmt::format("the checkpoint '{}' is broken", name), cause);
  };
  if (!manifest.is_object() || !manifest.contains("bytes") || !manifest["bytes"].is_number_unsigned() ||
      !manifest.contains("sha256") || !manifest["sha256"].is_string())
    return broken("its manifest cannot be read");
  auto bytes = store_->get(name + ".pt", stop);
  if (!bytes) return bytes.error().code == ErrorCode::NotFound ? broken("its file is gone") : bytes;
  const auto size = manifest["bytes"].get<std::uint64_t>();
  if (bytes->size() != size) return broken(fmt::format("it has {} bytes instead of {}", bytes->size(), size));
  if (toHex(sha256(*bytes)) != manifest["sha256"].get<std::string>()) return broken("its checksum is wrong");
  return bytes;
}

Result<std::vector<long long>> CheckpointStore::candidates(const std::stop_token& stop) {
  auto found = steps(stop);
  if (!found) return found;
  const auto marker = store_->get(prefix_ + kLastGood, stop);
  if (!marker && marker.error().code != ErrorCode::NotFound) return failure(marker.error());
  // After the marked one the others, the newest first: the marker may have been lost with a disk.
  std::ranges::reverse(*found);
  const std::string name = marker ? marker->substr(0, marker->find('\n')) : std::string();
  if (const auto marked = stepIn(name)) {
    std::erase(*found, *marked);
    found->insert(found->begin(), *marked);
  }
  return found;
}

Result<void> CheckpointStore::keepOwn(std::vector<long long>& steps, const std::stop_token& stop) {
  std::vector<long long> own;
  for (const long long step : steps) {
    const auto text = store_->get(prefix_ + nameOf(step) + kManifestEnd, stop);
    if (!text && text.error().code != ErrorCode::NotFound) return failure(text.error());
    const auto manifest = text ? nlohmann::json::parse(*text, nullptr, false) : nlohmann::json();
    if (!manifest.is_object() || !manifest.contains("training")) continue;
    if (!training_.empty() && manifest["training"] == training_) own.push_back(step);
  }
  steps = std::move(own);
  return {};
}

Result<std::optional<CheckpointStore::Loaded>> CheckpointStore::load(const std::stop_token& stop, From from) {
  auto steps = candidates(stop);
  if (!steps) return failure(steps.error());
  if (from == From::OwnTraining) {
    if (auto kept = keepOwn(*steps, stop); !kept) return failure(kept.error());
  }
  if (steps->empty()) return std::optional<Loaded>();
  Loaded loaded;
  for (const long long step : *steps) {
    auto bytes = loadStep(step, stop);
    if (bytes) {
      loaded.step = step;
      loaded.bytes = std::move(*bytes);
      return loaded;
    }
    const ErrorCode code = bytes.error().code;
    if (code != ErrorCode::DataLoss && code != ErrorCode::NotFound) return failure(bytes.error());
    loaded.passedOver.push_back(fmt::format("{}: {}", bytes.error().what, bytes.error().cause));
  }
  return failure(ErrorCode::DataLoss, fmt::format("no checkpoint in '{}' can be used", describe()),
                 loaded.passedOver.front(),
                 "start without --resume (a restart: with --no-resume), or choose another --checkpoint-dir");
}

}  // namespace lockstep::trainer
