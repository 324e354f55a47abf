// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/project/compartment_fixes.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "oci/services/data_science_client.h"
#include "oci/services/identity_client.h"
#include "setup/step/findings.h"

namespace lockstep {
namespace {

using Services = std::shared_ptr<oci::ServiceClient>;

constexpr std::size_t kLongestName = 100;
constexpr int kMaxLooks = 40, kMaxDeletions = 20, kMaxLooksAtDeletion = 240;
constexpr std::chrono::milliseconds kBetweenLooks{500};

bool isKnown(const Services& services, const std::string& tenancy, const std::string& id,
             const std::stop_token& stop) {
  const auto all = oci::IdentityClient(services, tenancy).listCompartments(tenancy, stop);
  const bool isListed =
      all && std::any_of(all->begin(), all->end(), [&](const oci::Compartment& one) { return one.id == id; });
  return isListed && oci::DataScienceClient(services).listProjects(id, stop).has_value();
}

// A new one is unknown to the other services for some seconds.
void waitUntilKnown(const Services& services, const std::string& tenancy, const std::string& id,
                    const std::stop_token& stop) {
  for (int look = 0; look < kMaxLooks; ++look) {
    if (isKnown(services, tenancy, id, stop)) return;
    if (!services->setup().clock->sleepFor(kBetweenLooks, stop)) return;
  }
}

Result<std::vector<AppliedChange>> create(const Services& services, const std::string& tenancy,
                                          const std::string& name, const std::stop_token& stop) {
  const auto made =
      oci::IdentityClient(services, tenancy)
          .createCompartment({tenancy, name, "distributed training"}, oci::newRetryToken(), stop);
  if (!made) return failure(made.error());
  waitUntilKnown(services, tenancy, made->id, stop);
  AppliedChange change;
  change.kind = kCompartmentCreated;
  change.title = fmt::format("created compartment '{}'", name);
  change.undo = {{"compartmentId", made->id}, {"name", name}};
  return std::vector{std::move(change)};
}

/// One deletion, to its end.
class Deletion {
 public:
  Deletion(Services services, std::string tenancy, std::string id, std::stop_token stop)
      : services_(std::move(services)),
        identity_(services_, std::move(tenancy)),
        id_(std::move(id)),
        stop_(std::move(stop)) {}

  Result<void> run() {
    const std::string before = state();
    if (isGone(before)) return {};
    if (before != "DELETING") {
      const auto asked = ask();
      if (!asked && asked.error().code == ErrorCode::NotFound) return {};
      if (!asked) return failure(inUse(asked.error()));
    }
    return follow();
  }

 private:
  static bool isGone(const std::string& state) { return state == "DELETED" || state == "404"; }
  [[nodiscard]] bool pause() const { return services_->setup().clock->sleepFor(kBetweenLooks, stop_); }

  /// Empty where it cannot be told.
  std::string state() {
    const auto one = identity_.getCompartment(id_, stop_);
    if (one) return one->lifecycleState;
    return one.error().code == ErrorCode::NotFound ? "404" : "";
  }

  // What was in it until a moment ago may still be on its way out.
  Result<void> ask() {
    auto done = identity_.deleteCompartment(id_, stop_);
    for (int look = 0; look < kMaxDeletions && !done; ++look) {
      const auto& answer = done.error().service;
      if (!answer || answer->httpStatus != 409 || !pause()) break;
      done = identity_.deleteCompartment(id_, stop_);
    }
    return done;
  }

  Result<void> follow() {
    for (int look = 0; look < kMaxLooksAtDeletion; ++look) {
      const std::string now = state();
      if (isGone(now)) return {};
      if (now == "ACTIVE")
        return failure(inUse({ErrorCode::FailedPrecondition,
                              "the service has given up deleting the compartment",
                              "its state is ACTIVE again",
                              {},
                              {},
                              {}}));
      if (!pause()) break;
    }
    return failure(ErrorCode::DeadlineExceeded, "the compartment is still being deleted",
                   "the service does that in the background", "take this back once more in some minutes");
  }

  static Error inUse(Error error) {
    error.remedy = "something is in it by now: take that back, or delete it, first";
    return error;
  }

  const Services services_;
  oci::IdentityClient identity_;
  const std::string id_;
  const std::stop_token stop_;
};

}  // namespace

bool isCompartmentName(const std::string& name) {
  return !name.empty() && name.size() <= kLongestName &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") ==
             std::string::npos;
}

ProposedFix createCompartmentFix(const Services& services, const std::string& tenancyId,
                                 const std::string& name) {
  ProposedFix fix;
  fix.id = kCreateCompartment;
  fix.title = fmt::format("create compartment '{}' in the tenancy", name);
  fix.after = fmt::format("compartment {}\n  parent the tenancy itself ({})\n", name, tenancyId);
  fix.calls = {"CreateCompartment POST /20160918/compartments"};
  fix.apply = [services, tenancyId, name](const std::stop_token& stop) {
    return create(services, tenancyId, name, stop);
  };
  return fix;
}

Result<void> deleteCompartment(const SetupContext& context, const AppliedChange& change,
                               const std::stop_token& stop) {
  const auto profile = context.profile();
  if (!profile) return failure(profile.error());
  const auto services = context.services();
  if (!services) return failure(services.error());
  return Deletion(*services, profile->tenancy, change.undo.value("compartmentId", ""), stop).run();
}

}  // namespace lockstep
