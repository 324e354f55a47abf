// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace lockstep::rehearsal {

/// A shape that jobs may ask for, as ListJobShapes shows it (oci-rest-contract 6).
struct JobShape {
  std::string name;                // "VM.GPU.A10.2"
  int cores = 1, memoryInGBs = 1;  // of a flexible shape the smallest size
  int gpus = 0;
  std::string series;         // "NVIDIA_GPU"
  std::string limit;          // a name of `ShapeTable::limits`; empty: counted with the other shapes
  bool isFastLaunch = false;  // the service keeps some ready to start at once
};

/// A service limit that nodes of some shapes share.
struct ShapeLimitRow {
  std::string name;         // "ds-gpu-a10-count"
  std::string of;           // "VM.GPU.A10": those shapes, for people
  bool countsGpus = false;  // else nodes
};

/// What resources/shapes.json says of the shapes of jobs, in its order.
struct ShapeTable {
  std::vector<JobShape> shapes;
  std::vector<ShapeLimitRow> limits;

  [[nodiscard]] const JobShape* findShape(std::string_view name) const;       // nullptr: no shape of jobs
  [[nodiscard]] const ShapeLimitRow* findLimit(std::string_view name) const;  // nullptr: no limit of shapes
};

/// DataLoss that names the row: one that is incomplete, or that names a limit which is not in the table.
[[nodiscard]] Result<ShapeTable> parseShapeTable(std::string_view json);
/// The table that the program carries with it.
[[nodiscard]] const ShapeTable& shapeTable();

}  // namespace lockstep::rehearsal
