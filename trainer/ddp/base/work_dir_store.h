// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <memory>
#include <string>

#include "base/error.h"
#include "workdir/object_store.h"

namespace lockstep::trainer {

/// `oci://bucket@namespace/prefix`, `file:///path` or an absolute path, with the credentials of a job run.
Result<std::shared_ptr<ObjectStore>> openStore(const std::string& uri,
                                               const std::map<std::string, std::string>& environment);

}  // namespace lockstep::trainer
