// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>

#include "tests/app/rehearsal/iam/iam_region.h"

namespace lockstep::testing {

/// One request as tests/data/iam/requests.json has it, its marks put in.
struct StagedRequest {
  std::string method, target, body;
  HeaderList headers;
};

/// The things that the requests of tests/data/iam/requests.json are about, made by the administrator. A mark
/// is
/// ${NAME}: the thing of that maker; ${n}: a number of its own for each request; ${fresh}: a thing made for
/// this request alone; ${fresh:NAME}: likewise, within a maker.
class IamStage {
 public:
  /// Carries out every maker once, in order.
  IamStage(const IamRegion& region, nlohmann::ordered_json makers);

  /// `row` has method, target and perhaps body, headers and fresh.
  StagedRequest request(const nlohmann::ordered_json& row);

 private:
  using Marks = std::map<std::string, std::string>;

  std::string make(const std::string& name);
  std::string look(const nlohmann::ordered_json& find, Marks& marks);
  std::string valueOf(const std::string& mark, Marks& marks);
  std::string filled(std::string text, Marks& marks);
  StagedRequest staged(const nlohmann::ordered_json& row, Marks& marks);

  const IamRegion& region_;
  const nlohmann::ordered_json makers_;
  Marks made_;
  int number_ = 0;
};

}  // namespace lockstep::testing
