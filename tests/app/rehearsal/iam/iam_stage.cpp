// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/rehearsal/iam/iam_stage.h"

#include <openssl/rsa.h>

#include <ctime>
#include <stdexcept>

namespace lockstep::testing {
namespace {

using nlohmann::ordered_json;

std::string timeAt(std::chrono::seconds offset) {
  const std::time_t at = std::time(nullptr) + offset.count();
  std::tm parts{};
  ::gmtime_r(&at, &parts);
  char text[64];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S.000Z", &parts);
  return text;
}

std::string freshPublicKey() {
  const KeyHandle key(EVP_RSA_gen(2048), EVP_PKEY_free);
  return ordered_json(publicPemOf(key.get())).dump();
}

std::string textAt(const nlohmann::json& answer, const std::string& pointer) {
  const nlohmann::json::json_pointer place(pointer);
  return answer.contains(place) && answer[place].is_string() ? answer[place].get<std::string>() : "";
}

}  // namespace

IamStage::IamStage(const IamRegion& region, ordered_json makers)
    : region_(region), makers_(std::move(makers)) {
  for (const char* name : {"compartment", "project", "logGroup", "log"})
    made_[name] = region.place(name + std::string("Id"));
  made_["tenancy"] = IamRegion::tenancy();
  for (const auto& [name, maker] : makers_.items()) made_[name] = make(name);
}

StagedRequest IamStage::request(const ordered_json& row) {
  Marks marks{{"n", std::to_string(++number_)}};
  if (row.contains("fresh")) marks["fresh"] = make(row["fresh"]);
  return staged(row, marks);
}

StagedRequest IamStage::staged(const ordered_json& row, Marks& marks) {
  StagedRequest request{row["method"], filled(row["target"], marks), "", {}};
  if (row.contains("body")) {
    const ordered_json& body = row["body"];
    if (body == "JOB")
      request.body = region_.region().jobBody().dump();
    else
      request.body = filled(body.is_string() ? body.get<std::string>() : body.dump(), marks);
  }
  const ordered_json headers = row.value("headers", ordered_json::object());
  for (const auto& [name, value] : headers.items())
    request.headers.emplace_back(name, value.get<std::string>());
  return request;
}

std::string IamStage::make(const std::string& name) {
  const ordered_json& maker = makers_.at(name);
  Marks marks{{"n", std::to_string(++number_)}};
  const StagedRequest request = staged(maker, marks);
  const TestResponse response =
      region_.root().send(request.method, request.target, request.body, request.headers);
  if (response.status < 200 || response.status > 299)
    throw std::runtime_error("cannot make " + name + ": " + std::to_string(response.status) + " " +
                             response.body);
  if (maker.contains("find")) return look(maker["find"], marks);
  const std::string take = maker.value("take", "/id");
  return take.empty() ? "" : textAt(response.json(), take);
}

// Some answers do not say what was made, and some things take a moment.
std::string IamStage::look(const ordered_json& find, Marks& marks) {
  const std::string target = filled(find["target"], marks), state = find.value("until", "");
  std::string found;
  const bool isThere = eventually([&] {
    const nlohmann::json answer = region_.root().get(target).json();
    found = textAt(answer, find["take"]);
    return !found.empty() && (state.empty() || textAt(answer, "/lifecycleState") == state);
  });
  if (!isThere) throw std::runtime_error("nothing was found at " + target);
  return found;
}

std::string IamStage::valueOf(const std::string& mark, Marks& marks) {
  if (mark == "now") return timeAt(std::chrono::seconds(0));
  if (mark == "before") return timeAt(std::chrono::hours(-1));
  if (!marks.contains(mark) && mark.starts_with("fresh:")) marks[mark] = make(mark.substr(6));
  if (const auto own = marks.find(mark); own != marks.end()) return own->second;
  const auto known = made_.find(mark);
  if (known == made_.end()) throw std::runtime_error("there is no ${" + mark + "}");
  return known->second;
}

std::string IamStage::filled(std::string text, Marks& marks) {
  if (const auto at = text.find("\"${publicKey}\""); at != std::string::npos)
    text.replace(at, 14, freshPublicKey());
  for (std::size_t at = text.find("${"); at != std::string::npos; at = text.find("${", at)) {
    const std::size_t end = text.find('}', at);
    const std::string value = valueOf(text.substr(at + 2, end - at - 2), marks);
    text.replace(at, end - at + 1, value);
    at += value.size();
  }
  return text;
}

}  // namespace lockstep::testing
