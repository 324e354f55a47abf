// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>

#include "base/error.h"
#include "oci/storage/object_storage_types.h"

namespace lockstep::oci {
class ServiceClient;
}

namespace lockstep::trainer {

/// Brings the objects below `prefix` ("data/cifar/", or empty) of a bucket into a folder of this node: the
/// first rank fetches, the others wait and find everything there. What has come before, in this run or
/// another, is not fetched again unless the object is another one now (its etag says it), and of a file that
/// was broken off only the rest comes; a file is there whole and with the right checksum, or not at all.
/// `tell` gets lines for people as it goes on. Blocks on network and disk. NotFound: nothing lies there.
/// InvalidArgument: a name that would lead out of the folder.
Result<void> fetchData(const std::shared_ptr<oci::ServiceClient>& services, const oci::BucketRef& place,
                       const std::string& prefix, const std::filesystem::path& folder,
                       const std::function<void(const std::string&)>& tell, const std::stop_token& stop);

/// The folder to read data from: `dataDir` itself, or, when that is oci://bucket@namespace/prefix, the folder
/// of this user's cache (or below `cache`, unless that is empty) into which it was fetched.
Result<std::filesystem::path> localData(const std::string& dataDir, const std::string& cache,
                                        const std::map<std::string, std::string>& environment,
                                        const std::function<void(const std::string&)>& tell);

}  // namespace lockstep::trainer
