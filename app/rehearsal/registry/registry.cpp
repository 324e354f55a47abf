// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/services.h"
#include "rehearsal/state/lists.h"

namespace lockstep::rehearsal {
namespace {

// Artifacts answers collections, where other services answer arrays (oci-rest-contract 4.4).
Answer asCollection(Answer answer, nlohmann::json collection) {
  if (!answer) return answer;
  collection["items"] = nlohmann::json::parse(answer->body);
  collection["remainingItemsCount"] = 0;
  answer->body = collection.dump();
  return answer;
}

Answer listRepositories(Database& database, const Call& call) {
  const ListStyle style{kind::kRepository, 1000, "TIMECREATED", "DISPLAYNAME", "displayName", ""};
  long long count = 0;
  auto answer = answerList(database, call, style, [&count](const Resource& repository) {
    ++count;
    return repository.body;
  });
  return asCollection(
      std::move(answer),
      {{"layerCount", count}, {"layersSizeInBytes", 0}, {"imageCount", count}, {"repositoryCount", count}});
}

Answer listImages(Database& database, const Call& call) {
  const ListStyle style{kind::kImage, 1000, "TIMECREATED", "DISPLAYNAME", "displayName", "repositoryId"};
  return asCollection(answerList(database, call, style, [](const Resource& image) { return image.body; }),
                      nlohmann::json::object());
}

}  // namespace

void addRegistry(Router& router, Database& database) {
  const std::string path = "/20160918/container";
  router.add("GET", path + "/repositories", "ListContainerRepositories",
             [&](const Call& c) { return listRepositories(database, c); });
  router.add("GET", path + "/images", "ListContainerImages",
             [&](const Call& c) { return listImages(database, c); });
}

}  // namespace lockstep::rehearsal
