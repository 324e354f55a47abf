// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::trainer {

enum class DataKind { Cifar10, Mnist, Text, Images };

/// "cifar10", "mnist", "text", "images"; nullopt for anything else.
[[nodiscard]] std::optional<DataKind> dataKindFrom(const std::string& name);
[[nodiscard]] std::vector<std::string> dataKindNames();

/// Which of the kinds lies in the folder; nullopt: none of them.
[[nodiscard]] std::optional<DataKind> kindIn(const std::filesystem::path& folder);

}  // namespace lockstep::trainer
