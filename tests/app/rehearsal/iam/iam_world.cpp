// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/rehearsal/iam/iam_world.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "rehearsal/region/schemas.h"
#include "rehearsal/state/resources.h"

namespace lockstep::testing {
namespace {

using nlohmann::json;
using rehearsal::Principal;
using rehearsal::Resource;
using rehearsal::Transaction;
namespace kind = rehearsal::kind;

std::string idOf(const std::string& kindName, const std::string& name) {
  return "ocid1." + kindName + ".oc1..aaaa" + name;
}
const std::string kTenancy = idOf("tenancy", "one");
const std::string kOtherTenancy = idOf("tenancy", "two");

void add(Transaction& transaction, const std::string& kindName, const std::string& name,
         const std::string& compartment, json body = json::object(), const std::string& parent = {},
         json hidden = json::object()) {
  Resource resource{idOf(kindName, name), kindName,         compartment, parent, name, "ACTIVE", "etag", 1,
                    std::move(body),      std::move(hidden)};
  rehearsal::insertResource(transaction, resource);
}

void addMember(Transaction& transaction, const std::string& user, const std::string& group,
               const std::string& tenancy) {
  Resource membership{idOf(kind::kGroupMembership, user + group),
                      kind::kGroupMembership,
                      tenancy,
                      idOf(kind::kGroup, group),
                      idOf(kind::kUser, user),
                      "ACTIVE",
                      "etag",
                      1,
                      {{"userId", idOf(kind::kUser, user)}}};
  rehearsal::insertResource(transaction, membership);
}

void addBucket(Transaction& transaction, const std::string& name, const std::string& compartment) {
  auto& bucket = transaction.sql(
      "INSERT INTO buckets(namespace, name, compartment, created, etag, body) VALUES('one', ?, ?, 1, 'e', "
      "'{}')");
  bucket.bind(1, name);
  bucket.bind(2, compartment);
  bucket.exec();
  auto& object = transaction.sql(
      "INSERT INTO objects(bucket, name, size, etag, md5, multipart_md5, created, modified, headers, file) "
      "VALUES(last_insert_rowid(), 'old', 1, 'e', '', '', 1, 1, '{}', '')");
  object.exec();
}

}  // namespace

IamWorld::IamWorld() {
  auto opened = rehearsal::Database::open(temp_.path() / "state.sqlite", rehearsal::regionSchemas());
  if (!opened) throw std::runtime_error(opened.error().what);
  database_ = std::move(*opened);
  Transaction transaction(*database_);
  const std::string train = idOf(kind::kCompartment, "train"), other = idOf(kind::kCompartment, "other");
  Resource tenancy{kTenancy,       kind::kTenancy,        kTenancy, "", "one", "ACTIVE", "e", 1,
                   json::object(), {{"namespace", "one"}}};
  rehearsal::insertResource(transaction, tenancy);
  Resource second{kOtherTenancy, kind::kTenancy, kOtherTenancy, "", "two", "ACTIVE", "e", 1, json::object()};
  rehearsal::insertResource(transaction, second);
  add(transaction, kind::kCompartment, "train", kTenancy);
  add(transaction, kind::kCompartment, "other", kTenancy);
  add(transaction, kind::kCompartment, "team", train);
  for (const char* user : {"root", "ann", "bob", "carl"}) add(transaction, kind::kUser, user, kTenancy);
  add(transaction, kind::kUser, "eve", kOtherTenancy);
  for (const char* group : {"Administrators", "Trainers", "Auditors"})
    add(transaction, kind::kGroup, group, kTenancy);
  addMember(transaction, "root", "Administrators", kTenancy);
  addMember(transaction, "ann", "Trainers", kTenancy);
  addMember(transaction, "carl", "Trainers", kTenancy);
  addMember(transaction, "carl", "Auditors", kTenancy);
  const auto dynamic = [&](const std::string& name, const std::string& rule) {
    add(transaction, kind::kDynamicGroup, name, kTenancy, {{"matchingRule", rule}});
  };
  dynamic("JobRuns", "all {resource.type='datasciencejobrun', resource.compartment.id='" + train + "'}");
  dynamic("AnyRun", "resource.type = 'datasciencejobrun'");
  dynamic("NotTrain",
          "ALL {resource.type = 'datasciencejobrun', resource.compartment.id != '" + train + "'}");
  dynamic("Tagged", "all {resource.type='datasciencejobrun', tag.Ops.Team.value='red'}");
  dynamic("Machines",
          "Any {instance.compartment.id = '" + train + "', instance.id = 'ocid1.instance.oc1..none'}");
  add(transaction, kind::kJobRun, "run", train);
  add(transaction, kind::kJobRun, "taggedRun", train, {{"definedTags", {{"Ops", {{"Team", "red"}}}}}});
  add(transaction, kind::kJobRun, "strayRun", other);
  addBucket(transaction, "b", train);
  addBucket(transaction, "BucketA", train);
  transaction.commit();
}

rehearsal::Principal IamWorld::principal(const std::string& name) const {
  const bool isStray = name.starts_with("stray");
  const std::string compartment = idOf(kind::kCompartment, isStray ? "other" : "train");
  if (name.ends_with("Run") || name == "run")
    return {Principal::Kind::JobRun, idOf(kind::kJobRun, name), kTenancy, compartment};
  if (name == "machine" || name == "strayMachine")
    return {Principal::Kind::Instance, idOf(kind::kInstance, name), kTenancy, compartment};
  if (name.starts_with("service:")) return {Principal::Kind::Service, name.substr(8), kTenancy, ""};
  return {Principal::Kind::User, idOf(kind::kUser, name), name == "eve" ? kOtherTenancy : kTenancy, ""};
}

std::string IamWorld::place(const std::string& name) const {
  return name == "tenancy" ? kTenancy : idOf(kind::kCompartment, name);
}

std::string IamWorld::filled(std::string text) const {
  const std::pair<std::string, std::string> marks[] = {{"$group:", kind::kGroup},
                                                       {"$dynamic:", kind::kDynamicGroup},
                                                       {"$user:", kind::kUser},
                                                       {"$compartment:", kind::kCompartment}};
  for (const auto& [mark, kindName] : marks)
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark))
      text.replace(at, mark.size(), idOf(kindName, ""));
  return text;
}

void addTestPolicy(Transaction& transaction, const std::string& attachedTo,
                   const std::vector<std::string>& statements) {
  add(transaction, kind::kPolicy, "underTest", attachedTo, {{"statements", statements}});
}

}  // namespace lockstep::testing
