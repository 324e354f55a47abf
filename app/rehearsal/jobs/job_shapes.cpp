// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/identity/access.h"
#include "rehearsal/jobs/job_text.h"
#include "rehearsal/services.h"

namespace lockstep::rehearsal {
namespace {

// The facts of oci-rest-contract 6; flexible shapes show their smallest size.
constexpr JobShape kShapes[] = {
    {"VM.GPU2.1", 12, 72, "NVIDIA_GPU"},
    {"VM.GPU3.1", 6, 90, "NVIDIA_GPU"},
    {"VM.GPU3.2", 12, 180, "NVIDIA_GPU"},
    {"VM.GPU3.4", 24, 360, "NVIDIA_GPU"},
    {"VM.GPU.A10.1", 15, 240, "NVIDIA_GPU"},
    {"VM.GPU.A10.2", 30, 480, "NVIDIA_GPU"},
    {"BM.GPU2.2", 28, 192, "NVIDIA_GPU"},
    {"BM.GPU3.8", 52, 768, "NVIDIA_GPU"},
    {"BM.GPU4.8", 64, 2048, "NVIDIA_GPU"},
    {"BM.GPU.B4.8", 64, 2048, "NVIDIA_GPU"},
    {"BM.GPU.A100-v2.8", 128, 2048, "NVIDIA_GPU"},
    {"BM.GPU.A10.4", 64, 1024, "NVIDIA_GPU"},
    {"BM.GPU.L40S.4", 112, 1024, "NVIDIA_GPU"},
    {"BM.GPU.L40S-NC.4", 112, 1024, "NVIDIA_GPU"},
    {"BM.GPU.H100.8", 112, 2048, "NVIDIA_GPU"},
    {"BM.GPU.H200.8", 112, 3072, "NVIDIA_GPU"},
    {"BM.GPU.B200.8", 128, 4096, "NVIDIA_GPU"},
    {"BM.GPU.GB200.4", 144, 1024, "NVIDIA_GPU"},
    {"BM.GPU.MI300X.8", 112, 2048, "GENERIC"},
    {"VM.Standard2.1", 1, 15, "INTEL_SKYLAKE"},
    {"VM.Standard2.2", 2, 30, "INTEL_SKYLAKE"},
    {"VM.Standard2.4", 4, 60, "INTEL_SKYLAKE"},
    {"VM.Standard2.8", 8, 120, "INTEL_SKYLAKE"},
    {"VM.Standard2.16", 16, 240, "INTEL_SKYLAKE"},
    {"VM.Standard2.24", 24, 360, "INTEL_SKYLAKE"},
    {"VM.Standard.E3.Flex", 1, 1, "AMD_ROME"},
    {"VM.Standard.E4.Flex", 1, 1, "AMD_ROME"},
    {"VM.Standard.E5.Flex", 1, 1, "AMD_ROME"},
    {"VM.Standard3.Flex", 1, 1, "INTEL_SKYLAKE"},
    {"VM.Optimized3.Flex", 1, 1, "INTEL_SKYLAKE"},
    {"VM.Standard.A1.Flex", 1, 1, "ARM"},
    {"VM.Standard.A2.Flex", 1, 1, "ARM"},
    {"VM.Standard.AMD.Generic", 1, 1, "GENERIC"},
    {"VM.Standard.Intel.Generic", 1, 1, "GENERIC"},
    {"VM.Standard.Ampere.Generic", 1, 1, "GENERIC"},
    {"VM.Standard.x86.Generic", 1, 1, "GENERIC"},
};

// What the service keeps ready to start at once. Their names are the service's own: "<shape>" of the standard
// series here.
constexpr const char* kFastLaunch[] = {"VM.Standard2.1", "VM.Standard2.2", "VM.Standard2.4"};

nlohmann::json shownShape(const JobShape& shape) {
  return {{"name", shape.name},
          {"coreCount", shape.cores},
          {"memoryInGBs", shape.memoryInGBs},
          {"shapeSeries", shape.series}};
}

nlohmann::json shownFastLaunch(const JobShape& shape) {
  nlohmann::json config = shownShape(shape);
  config["shapeName"] = shape.name;
  config["managedEgressSupport"] = "SUPPORTED";
  return config;
}

/// A page of a list that every compartment has; the token is the name of the next entry.
Answer listOf(Database& database, const Call& call, const nlohmann::json& all) {
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
  Session session(database);
  if (!mayIn(session, call, *compartment)) return notFound();
  nlohmann::json list = nlohmann::json::array();
  for (; from < all.size() && static_cast<int>(list.size()) < *limit; ++from) list.push_back(all[from]);
  Reply reply = jsonReply(list);
  if (from < all.size()) reply.headers.emplace_back("opc-next-page", encodePage({all[from]["name"]}));
  return reply;
}

Answer listJobShapes(Database& database, const Call& call) {
  nlohmann::json all = nlohmann::json::array();
  for (const JobShape& shape : kShapes) all.push_back(shownShape(shape));
  return listOf(database, call, all);
}

Answer listFastLaunchConfigs(Database& database, const Call& call) {
  nlohmann::json all = nlohmann::json::array();
  for (const char* name : kFastLaunch) all.push_back(shownFastLaunch(*findJobShape(name)));
  return listOf(database, call, all);
}

}  // namespace

const JobShape* findJobShape(const std::string& name) {
  for (const JobShape& shape : kShapes)
    if (name == shape.name) return &shape;
  return nullptr;
}

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
