// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/step/launch_refusal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "setup/steps/setup_steps.h"

namespace lockstep {
namespace {

Error answered(int httpStatus, const char* errorCode) {
  Error error;
  error.code = ErrorCode::NotFound;
  error.what = "cannot create the job";
  error.service = ServiceAnswer{"Data Science", "CreateJob", httpStatus, errorCode, {}};
  return error;
}

TEST(StepBehind, IsTheOneThatLooksAtIt) {
  EXPECT_EQ(stepBehind(answered(401, "NotAuthenticated")), "auth");
  EXPECT_EQ(stepBehind(answered(403, "NotAuthorized")), "policies");
  EXPECT_EQ(stepBehind(answered(404, "NotAuthorizedOrNotFound")), "policies");
  EXPECT_EQ(stepBehind(answered(404, "BucketNotFound")), "bucket");
  EXPECT_EQ(stepBehind(answered(400, "LimitExceeded")), "limits");
  EXPECT_EQ(stepBehind(answered(500, "OutOfHostCapacity")), "limits");
  EXPECT_EQ(stepBehind(answered(0, "")), "machine");
}

TEST(StepBehind, IsNoneWhereNoStepTellsMore) {
  EXPECT_EQ(stepBehind(answered(400, "InvalidParameter")), "");
  EXPECT_EQ(stepBehind(answered(500, "InternalServerError")), "");
  Error own;
  own.code = ErrorCode::InvalidArgument;
  EXPECT_EQ(stepBehind(own), "");
}

TEST(StepBehind, NamesStepsThatThereAre) {
  const auto& names = setupStepNames();
  for (const auto& [status, code] :
       {std::pair{401, ""}, {404, ""}, {404, "BucketNotFound"}, {0, ""}, {400, "QuotaExceeded"}})
    EXPECT_NE(std::find(names.begin(), names.end(), stepBehind(answered(status, code))), names.end());
}

}  // namespace
}  // namespace lockstep
