// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep {

// Fields that may be missing. A null, a value of another type and a field of what is no object at all count as
// missing too; nothing here throws. The right tool where a document without the field means something sensible.
// For documents of strangers there is base/outside_json.h, which bounds what it reads, and for the answers of
// services, whose flaws have to be named, oci/calls/answer_fields.h.

/// `otherwise` when missing. Numbers and booleans are no text.
[[nodiscard]] std::string stringField(const nlohmann::json& object, std::string_view key,
                                      std::string_view otherwise = {});
[[nodiscard]] std::string stringField(const nlohmann::ordered_json& object, std::string_view key,
                                      std::string_view otherwise = {});
/// nullopt: no number, one with a fraction or an exponent ("1.0", "1e3"), or one that 64 bits with a sign
/// cannot hold. get<int>() is undefined for the latter, if they are written as "1e300".
[[nodiscard]] std::optional<std::int64_t> wholeNumber(const nlohmann::json& value);
/// nullopt also when missing.
[[nodiscard]] std::optional<std::int64_t> integerField(const nlohmann::json& object, std::string_view key);
/// Whole numbers too, rounded to the nearest double.
[[nodiscard]] std::optional<double> numberField(const nlohmann::json& object, std::string_view key);
/// `otherwise` when missing. Neither 0 and 1 nor "true" is a boolean.
[[nodiscard]] bool boolField(const nlohmann::json& object, std::string_view key, bool otherwise);
/// Part of `object`, and valid as long as it; an empty object, valid to the end of the program, when missing.
[[nodiscard]] const nlohmann::json& objectField(const nlohmann::json& object, std::string_view key);
[[nodiscard]] const nlohmann::ordered_json& objectField(const nlohmann::ordered_json& object,
                                                        std::string_view key);
/// The same for arrays.
[[nodiscard]] const nlohmann::json& arrayField(const nlohmann::json& object, std::string_view key);

}  // namespace lockstep
