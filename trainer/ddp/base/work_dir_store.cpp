// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/base/work_dir_store.h"

#include "oci/calls/service_client.h"
#include "oci/signin/open_service_client.h"
#include "oci/storage/object_storage_client.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::trainer {

Result<std::shared_ptr<ObjectStore>> openStore(const std::string& uri,
                                               const std::map<std::string, std::string>& environment) {
  const auto parsed = parseWorkDirUri(uri);
  if (!parsed) return failure(parsed.error());
  std::shared_ptr<oci::ServiceClient> services;
  if (parsed->scheme == WorkDirUri::Scheme::Oci) {
    auto opened = oci::openServiceClientInJobRun(environment);
    if (!opened) return failure(opened.error());
    services = *opened;
  }
  return oci::openWorkDir(services, uri);
}

}  // namespace lockstep::trainer
