// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace lockstep::rehearsal {

/// What the processes of one node use at one time. Unset: it cannot be measured there.
struct NodeSample {
  long long time = 0;                           // ms since the epoch
  std::optional<double> cpuPercent;             // of all processors of the machine
  std::optional<double> memoryPercent;          // resident, of the memory of the machine
  std::optional<double> diskPercent;            // used, of the file system of the node's home
  std::optional<double> networkIn, networkOut;  // bytes since the sample before; unset: no network of its own
  std::optional<double> gpuPercent;             // average over the GPUs; unset: there is none
};

/// One quantity of a sample: its key in a line, and what the Monitoring service calls it (oci-rest-contract 4.9).
struct NodeQuantity {
  const char* key;
  const char* metric;
  const char* unit;
  std::optional<double> NodeSample::*value;
};
/// All of them: a further one is a member of NodeSample and a row here.
[[nodiscard]] std::span<const NodeQuantity> nodeQuantities();

/// One line of NodeFolder::metrics.
[[nodiscard]] std::string toLine(const NodeSample& sample);
[[nodiscard]] std::optional<NodeSample> sampleFrom(const std::string& line);

/// Samples the descendants of this process. One thread.
class NodeSampler {
 public:
  /// `ownNetwork`: the network namespace of this process is the node's alone, so its counters are the node's.
  NodeSampler(std::filesystem::path home, bool ownNetwork);
  ~NodeSampler();
  NodeSampler(const NodeSampler&) = delete;
  NodeSampler& operator=(const NodeSampler&) = delete;

  NodeSample sample();

 private:
  struct Gpus;
  std::filesystem::path home_;
  bool ownNetwork_;
  std::unique_ptr<Gpus> gpus_;
  std::chrono::steady_clock::time_point at_;
  double cpuSeconds_ = 0;
  double in_ = 0, out_ = 0;
};

/// The network namespace of this process, to be compared.
[[nodiscard]] std::string networkNamespace();

}  // namespace lockstep::rehearsal
