// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/frameworks/framework_cluster.h"

#include "trainer/node/code/code_source.h"
#include "trainer/node/frameworks/dask_cluster.h"
#include "trainer/node/frameworks/horovod_cluster.h"
#include "trainer/node/frameworks/tensorflow_cluster.h"

namespace lockstep::node {

std::unique_ptr<FrameworkCluster> makeFrameworkCluster(ClusterNode node) {
  if (node.settings.framework == Framework::Dask) return std::make_unique<DaskCluster>(std::move(node));
  if (node.settings.framework == Framework::Horovod) return std::make_unique<HorovodCluster>(std::move(node));
  return std::make_unique<TensorFlowCluster>(std::move(node));
}

Environment scriptEnvironment(const ClusterNode& node) {
  Environment environment = node.environment;
  environment["JOB_OCID"] = node.settings.jobId;
  if (const std::string path = pythonPath(node.settings, environment); !path.empty())
    environment["PYTHONPATH"] = path;
  environment.try_emplace("PYTHONUNBUFFERED", "1");  // its lines are to be seen when they are printed
  if (!node.address.interface.empty()) {
    environment.try_emplace("GLOO_SOCKET_IFNAME", node.address.interface);
    environment.try_emplace("NCCL_SOCKET_IFNAME", node.address.interface);
  }
  return environment;
}

}  // namespace lockstep::node
