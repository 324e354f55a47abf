// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace lockstep {

/// What a flex shape lets one choose: OCPUs from `minOcpus` to `maxOcpus`, memory per OCPU and in all.
struct FlexRange {
  double minOcpus = 1, maxOcpus = 1;
  double minMemoryInGBs = 1, maxMemoryInGBs = 1;
  double minMemoryPerOcpu = 1, maxMemoryPerOcpu = 64;
};

/// One compute shape of Data Science jobs.
struct Shape {
  std::string name;  // "VM.GPU.A10.2"
  int gpus = 0;
  std::string gpuType;                       // "NVIDIA A10"; empty without GPUs
  double gpuMemoryInGBs = 0;                 // of each GPU; 0 with GPUs: not known
  std::optional<double> ocpus, memoryInGBs;  // of a fixed shape
  std::optional<FlexRange> flex;             // of a flex shape
  std::optional<double> networkInGbps;       // front-end network; of a flex shape the most it can have
  bool rdma = false;  // has RDMA interfaces (whether job runs get to use them is not documented)
  bool isBareMetal = false;
};

/// The shapes that Lockstep knows, from resources/shapes.json, which is compiled in. Immutable.
class ShapeCatalogue {
 public:
  /// The catalogue that the program carries with it.
  static const ShapeCatalogue& builtIn();
  /// A catalogue in the form of resources/shapes.json. DataLoss that names the member and its value.
  [[nodiscard]] static Result<ShapeCatalogue> parse(std::string_view json);

  [[nodiscard]] const std::vector<Shape>& shapes() const { return shapes_; }
  /// nullptr: not in the catalogue, which does not say that it does not exist.
  [[nodiscard]] const Shape* find(std::string_view name) const;
  /// Up to `max` names of the catalogue that a name may have meant, the nearest first; empty when none is
  /// near.
  [[nodiscard]] std::vector<std::string> nearestNames(std::string_view name, std::size_t max = 3) const;
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
