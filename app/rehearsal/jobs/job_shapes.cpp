// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/iam/access.h"
#include "rehearsal/jobs/job_text.h"
#include "rehearsal/jobs/jobs.h"
#include "rehearsal/shapes/shape_table.h"

namespace lockstep::rehearsal {
namespace {

nlohmann::json shownShape(const JobShape& shape) {
  return {{"name", shape.name},
          {"coreCount", shape.cores},
          {"memoryInGBs", shape.memoryInGBs},
          {"shapeSeries", shape.series}};
}

nlohmann::json shownFastLaunch(const JobShape& shape) {
  // The service has names of its own for them; here they are called after their shapes.
  nlohmann::json config = shownShape(shape);
  config["shapeName"] = shape.name;
  config["managedEgressSupport"] = "SUPPORTED";
  return config;
}

/// A page of a list that every compartment has; the token is the name of the next entry.
OperationResult listOf(Database& database, const Call& call, const nlohmann::json& all) {
  const auto compartment = call.parameter("compartmentId");
  if (!compartment) return missingParameter("compartmentId");
  const auto limit = call.limit(100, 100);
  if (!limit) return tl::unexpected(limit.error());
  std::size_t from = 0;
  if (const auto page = call.parameter("page")) {
    const auto parts = decodePage(*page);
    if (!parts || parts->size() != 1)
      return invalidParameter("The parameter 'page' is not a page token of this list.");
    while (from < all.size() && all[from]["name"] != parts->front()) ++from;
  }
  Transaction transaction(database);
  if (!mayIn(transaction, call, *compartment)) return notFound();
  nlohmann::json list = nlohmann::json::array();
  for (; from < all.size() && static_cast<int>(list.size()) < *limit; ++from) list.push_back(all[from]);
  Response response = jsonResponse(list);
  if (from < all.size()) response.headers.emplace_back("opc-next-page", encodePage({all[from]["name"]}));
  return response;
}

OperationResult listJobShapes(Database& database, const Call& call) {
  nlohmann::json all = nlohmann::json::array();
  for (const JobShape& shape : shapeTable().shapes) all.push_back(shownShape(shape));
  return listOf(database, call, all);
}

OperationResult listFastLaunchConfigs(Database& database, const Call& call) {
  nlohmann::json all = nlohmann::json::array();
  for (const JobShape& shape : shapeTable().shapes)
    if (shape.isFastLaunch) all.push_back(shownFastLaunch(shape));
  return listOf(database, call, all);
}

}  // namespace

bool isFlexible(const std::string& shapeName) {
  return shapeName.ends_with(".Flex") || shapeName.ends_with(".Generic");
}

void addJobShapes(Router& router, Database& database) {
  router.add("GET", "/20190101/jobShapes", "ListJobShapes",
             [&](const Call& c) { return listJobShapes(database, c); });
  router.add("GET", "/20190101/fastLaunchJobConfigs", "ListFastLaunchJobConfigs",
             [&](const Call& c) { return listFastLaunchConfigs(database, c); });
}

}  // namespace lockstep::rehearsal
