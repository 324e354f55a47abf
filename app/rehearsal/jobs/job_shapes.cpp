// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/iam/access.h"
#include "rehearsal/jobs/job_text.h"
#include "rehearsal/jobs/jobs.h"
#include "rehearsal/service/lists.h"
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

/// A page of a list that every compartment has.
OperationResult listOf(Database& database, const Call& call, const nlohmann::json& all) {
  const auto compartment = call.parameter("compartmentId");
  if (!compartment) return missingParameter("compartmentId");
  auto page = answerNamedPage(call, all, 100);
  if (!page) return page;
  Transaction transaction(database);
  if (!mayIn(transaction, call, *compartment)) return notFound();
  return page;
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
