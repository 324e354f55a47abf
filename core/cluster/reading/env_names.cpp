// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/reading/env_names.h"

#include <algorithm>
#include <array>

#include "cluster/reading/train_yaml_keys.h"

namespace lockstep {
namespace {

/// Variables that people set for distributed training: what a misspelt one may have meant.
constexpr std::string_view kKnown[] = {"NCCL_SOCKET_IFNAME",
                                       "NCCL_SOCKET_FAMILY",
                                       "NCCL_SOCKET_NTHREADS",
                                       "NCCL_NSOCKS_PERTHREAD",
                                       "NCCL_DEBUG",
                                       "NCCL_DEBUG_SUBSYS",
                                       "NCCL_DEBUG_FILE",
                                       "NCCL_IB_DISABLE",
                                       "NCCL_IB_HCA",
                                       "NCCL_IB_GID_INDEX",
                                       "NCCL_IB_TC",
                                       "NCCL_IB_SL",
                                       "NCCL_IB_QPS_PER_CONNECTION",
                                       "NCCL_IB_TIMEOUT",
                                       "NCCL_IB_RETRY_CNT",
                                       "NCCL_IB_CUDA_SUPPORT",
                                       "NCCL_P2P_DISABLE",
                                       "NCCL_P2P_LEVEL",
                                       "NCCL_SHM_DISABLE",
                                       "NCCL_NET",
                                       "NCCL_NET_PLUGIN",
                                       "NCCL_NET_GDR_LEVEL",
                                       "NCCL_CROSS_NIC",
                                       "NCCL_ALGO",
                                       "NCCL_PROTO",
                                       "NCCL_BUFFSIZE",
                                       "NCCL_NTHREADS",
                                       "NCCL_MIN_NCHANNELS",
                                       "NCCL_MAX_NCHANNELS",
                                       "NCCL_TOPO_FILE",
                                       "NCCL_TOPO_DUMP_FILE",
                                       "NCCL_BLOCKING_WAIT",
                                       "NCCL_ASYNC_ERROR_HANDLING",
                                       "NCCL_LAUNCH_MODE",
                                       "NCCL_COLLNET_ENABLE",
                                       "NCCL_IGNORE_CPU_AFFINITY",
                                       "NCCL_COMM_ID",
                                       "NCCL_CUMEM_ENABLE",
                                       "NCCL_IB_SPLIT_DATA_ON_QPS",
                                       "NCCL_IB_ADAPTIVE_ROUTING",
                                       "NCCL_TUNER_PLUGIN",
                                       "NCCL_NVLS_ENABLE",
                                       "NCCL_HOSTID",
                                       "TORCH_NCCL_ASYNC_ERROR_HANDLING",
                                       "TORCH_NCCL_BLOCKING_WAIT",
                                       "TORCH_NCCL_TRACE_BUFFER_SIZE",
                                       "TORCH_NCCL_DUMP_ON_TIMEOUT",
                                       "TORCH_DISTRIBUTED_DEBUG",
                                       "TORCH_CPP_LOG_LEVEL",
                                       "TORCH_SHOW_CPP_STACKTRACES",
                                       "GLOO_SOCKET_IFNAME",
                                       "OMP_NUM_THREADS",
                                       "MKL_NUM_THREADS",
                                       "MASTER_ADDR",
                                       "MASTER_PORT",
                                       "WORLD_SIZE",
                                       "LOCAL_RANK",
                                       "WORKSPACE",
                                       "WORKSPACE_PREFIX",
                                       "SYNC_ARTIFACTS",
                                       "WORKER_PORT",
                                       "SCHEDULER_PORT",
                                       "OCI__TIMEOUT",
                                       "OCI__RDZV_TIMEOUT",
                                       "OCI__CODE_DIR",
                                       "OCI__METRICS_NAMESPACE",
                                       "OCI__DEEPSPEED",
                                       "CUDA_VISIBLE_DEVICES",
                                       "PYTHONUNBUFFERED",
                                       "PYTHONPATH",
                                       "OCI__GIT_SSH_KEY_PATH",
                                       "OCI__SYNC_DIR",
                                       "OCI__DIAGNOSTIC_DEFAULT_CONFIG",
                                       "SYNC_SLEEP",
                                       "POST_PROCESSING_WAIT",
                                       "PROFILE_CMD",
                                       "START_TIMEOUT",
                                       "HOROVOD_ARGS",
                                       "ENABLE_TIMELINE",
                                       "OCI_IAM_TYPE",
                                       "OCI_CONFIG_PROFILE",
                                       "OCIFS_CONFIG_PROFILE",
                                       "NCCL_TOPO_DUMP_FILE_RANK",
                                       "TORCH_LOGS",
                                       "TORCH_HOME",
                                       "TORCH_EXTENSIONS_DIR",
                                       "TORCH_CUDA_ARCH_LIST",
                                       "TORCH_NCCL_ENABLE_MONITORING",
                                       "TORCH_NCCL_HEARTBEAT_TIMEOUT_SEC",
                                       "TORCH_NCCL_AVOID_RECORD_STREAMS",
                                       "TORCH_NCCL_DESYNC_DEBUG",
                                       "TORCH_NCCL_USE_COMM_NONBLOCKING",
                                       "OMP_PROC_BIND",
                                       "OMP_PLACES",
                                       "OMP_SCHEDULE",
                                       "OMP_DYNAMIC",
                                       "OMP_STACKSIZE",
                                       "OMP_WAIT_POLICY",
                                       "NCCL_IB_PCI_RELAXED_ORDERING",
                                       "NCCL_IB_AR_THRESHOLD",
                                       "NCCL_DMABUF_ENABLE",
                                       "NCCL_GRAPH_MIXING_SUPPORT",
                                       "NCCL_WORK_FIFO_DEPTH",
                                       "NCCL_SOCKET_RETRY_CNT",
                                       "NCCL_OOB_NET_ENABLE",
                                       "NCCL_RUNTIME_CONNECT"};

constexpr std::string_view kGenerated[] = {"OCI__WORK_DIR",
                                           "OCI__EPHEMERAL",
                                           "OCI__CLUSTER_TYPE",
                                           "OCI__WORKER_COUNT",
                                           "OCI__PS_COUNT",
                                           "OCI__START_ARGS",
                                           "OCI__ENTRY_SCRIPT",
                                           "OCI__ENTRY_SCRIPT_ARGS",
                                           "OCI__ENTRY_SCRIPT_KWARGS",
                                           "OCI__RUNTIME_TYPE",
                                           "OCI__RUNTIME_URI",
                                           "OCI__RUNTIME_GIT_BRANCH",
                                           "OCI__RUNTIME_GIT_COMMIT",
                                           "OCI__RUNTIME_GIT_SECRET_ID",
                                           "OCI__RUNTIME_PYTHON_PATH"};

bool hasCheckedPrefix(std::string_view name) {
  for (const char* prefix : {"NCCL_", "TORCH_", "GLOO_", "OMP_", "MASTER_", "OCI__", "CUDA_VISIBLE", "SYNC_",
                             "WORKSPACE_", "SCHEDULER_", "WORKER_"}) {
    if (name.starts_with(prefix)) return true;
  }
  return false;
}

}  // namespace

bool isGeneratedVariable(std::string_view name) {
  return std::find(std::begin(kGenerated), std::end(kGenerated), name) != std::end(kGenerated);
}

std::string_view meantVariable(std::string_view name) {
  constexpr std::size_t kMaxSlips = 2;  // more letters off is a variable that the list does not have
  if (name.size() <= 8 || !hasCheckedPrefix(name) || isGeneratedVariable(name)) return {};
  std::string_view meant;
  std::size_t best = kMaxSlips + 1;
  for (const std::string_view known : kKnown) {
    if (known == name) return {};
    const std::size_t apart =
        known.size() > name.size() ? known.size() - name.size() : name.size() - known.size();
    if (apart >= best) continue;
    const std::size_t distance = wordDistance(name, known, best - 1);
    if (distance < best) {
      best = distance;
      meant = known;
    }
  }
  return meant;
}

}  // namespace lockstep
