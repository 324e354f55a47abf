// SPDX-License-Identifier: GPL-3.0-or-later
#include "diagnosis/muted_findings.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/json_fields.h"
#include "base/outside_json.h"
#include "base/time_text.h"
#include "base/user_dirs.h"

namespace lockstep {
namespace {

using nlohmann::json;

constexpr const char* kWhat = "the list of muted findings";

}  // namespace

Result<MutedFindings> MutedFindings::parse(std::string_view text) {
  const auto document = parseOutsideJson(text, kMostBytes, kWhat);
  if (!document) return failure(document.error());
  MutedFindings muted;
  for (const json& entry : arrayField(*document, "muted")) {
    if (!entry.is_object()) continue;
    const std::string run = outsideText(entry, "run"), key = outsideText(entry, "finding");
    const auto until = outsideTime(entry, "until");
    if (!run.empty() && !key.empty() && until) muted.mute(RunId(run), key, *until);
  }
  return muted;
}

std::string MutedFindings::text() const {
  json list = json::array();
  for (const auto& [place, until] : until_)
    list.push_back({{"run", place.first}, {"finding", place.second}, {"until", toRfc3339(until)}});
  return json{{"version", 1}, {"muted", std::move(list)}}.dump(2, ' ', false,
                                                               json::error_handler_t::replace) +
         '\n';
}

void MutedFindings::mute(const RunId& run, const std::string& key, TimePoint until) {
  until_[{run.value, key}] = until;
  if (until_.size() <= kMost) return;
  const auto ends = [](const auto& one) { return one.second; };
  until_.erase(std::ranges::min_element(until_, {}, ends));
}

void MutedFindings::unmute(const RunId& run, const std::string& key) {
  until_.erase({run.value, key});
}

std::optional<TimePoint> MutedFindings::mutedUntil(const RunId& run, const std::string& key,
                                                   TimePoint now) const {
  const auto found = until_.find({run.value, key});
  return found == until_.end() || found->second <= now ? std::nullopt : std::optional(found->second);
}

std::set<std::string> MutedFindings::keysOf(const RunId& run, TimePoint now) const {
  std::set<std::string> keys;
  for (const auto& [place, until] : until_)
    if (place.first == run.value && until > now) keys.insert(place.second);
  return keys;
}

void MutedFindings::forgetOver(TimePoint now) {
  std::erase_if(until_, [now](const auto& one) { return one.second <= now; });
}

std::filesystem::path mutedFindingsFile() {
  return userConfigDir() / "muted-findings.json";
}

Result<MutedFindings> readMutedFindings(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return MutedFindings();
  const auto text = readFile(file, MutedFindings::kMostBytes);
  if (!text) return failure(text.error());
  auto muted = MutedFindings::parse(*text);
  if (!muted) {
    muted.error().where = file.string();
    muted.error().remedy = "delete that file: findings are then told again";
  }
  return muted;
}

Result<void> muteFinding(const std::filesystem::path& file, const RunId& run, const std::string& key,
                         std::optional<TimePoint> until, TimePoint now) {
  auto muted = readMutedFindings(file);
  if (!muted) return failure(muted.error());
  muted->forgetOver(now);
  if (until)
    muted->mute(run, key, *until);
  else
    muted->unmute(run, key);
  if (const int error = makePrivateFolder(file.parent_path()); error != 0)
    return failure(errnoError("cannot make the folder '" + file.parent_path().string() + "'", error));
  return writeFileAtomically(file, muted->text());
}

}  // namespace lockstep
