// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/step/launch_refusal.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lockstep {
namespace {

constexpr std::array<std::string_view, 3> kLimitCodes{"LimitExceeded", "QuotaExceeded", "OutOfHostCapacity"};
constexpr std::array<std::string_view, 2> kBucketCodes{"BucketNotFound", "NamespaceNotFound"};

template <std::size_t N>
bool isOneOf(const std::string& code, const std::array<std::string_view, N>& codes) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

}  // namespace

std::string stepBehind(const Error& refusal) {
  if (refusal.code == ErrorCode::Unauthenticated) return "auth";
  if (!refusal.service) return {};
  const ServiceAnswer& answer = *refusal.service;
  if (answer.httpStatus == 0) return "machine";
  if (answer.httpStatus == 401) return "auth";
  if (isOneOf(answer.errorCode, kLimitCodes)) return "limits";
  if (isOneOf(answer.errorCode, kBucketCodes)) return "bucket";
  // Which of the two a 404 means is what the service keeps to itself.
  if (answer.httpStatus == 403 || answer.httpStatus == 404) return "policies";
  return {};
}

}  // namespace lockstep
