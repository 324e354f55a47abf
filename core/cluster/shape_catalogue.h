// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// What a flex shape lets one choose: OCPUs from `leastOcpus` to `mostOcpus`, memory per OCPU and in all.
struct FlexRange {
  double leastOcpus = 1, mostOcpus = 1;
  double leastMemoryInGBs = 1, mostMemoryInGBs = 1;
  double leastMemoryPerOcpu = 1, mostMemoryPerOcpu = 64;
};

/// One compute shape of Data Science jobs.
struct Shape {
  std::string name;  // "VM.GPU.A10.2"
  int gpus = 0;
  std::string gpuType;                       // "NVIDIA A10"; empty without GPUs
  double gpuMemoryInGBs = 0;                 // of each GPU
  std::optional<double> ocpus, memoryInGBs;  // of a fixed shape
  std::optional<FlexRange> flex;             // of a flex shape
  std::optional<double> networkInGbps;
  bool rdma = false;  // cluster network between nodes
  bool isBareMetal = false;
};

/// The shapes that Lockstep knows, from resources/shapes.json, which is compiled in. Immutable.
class ShapeCatalogue {
 public:
  /// The catalogue that the program carries with it.
  static const ShapeCatalogue& builtIn();

  [[nodiscard]] const std::vector<Shape>& shapes() const { return shapes_; }
  /// nullptr: not in the catalogue, which does not say that it does not exist.
  [[nodiscard]] const Shape* find(std::string_view name) const;
  [[nodiscard]] const std::string& asOf() const { return asOf_; }      // "2026-07-21"
  [[nodiscard]] const std::string& source() const { return source_; }  // for people

 private:
  std::vector<Shape> shapes_;
  std::string asOf_, source_;
};

/// GPUs of a shape: from the catalogue, else by the number at the end of its name ("VM.GPU.A10.2"); nullopt
/// for a GPU shape of which neither tells; 0 without GPUs.
[[nodiscard]] std::optional<int> gpusOfShape(std::string_view name);

}  // namespace lockstep
