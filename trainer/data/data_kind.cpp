// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/data/data_kind.h"

#include <array>

#include "trainer/data/cifar10.h"
#include "trainer/data/image_folder.h"
#include "trainer/data/mnist.h"
#include "trainer/data/text_corpus.h"

namespace lockstep::trainer {
namespace {

constexpr std::array<const char*, 4> kKindNames{"cifar10", "mnist", "text", "images"};

}  // namespace

std::vector<std::string> dataKindNames() {
  return {kKindNames.begin(), kKindNames.end()};
}

std::optional<DataKind> dataKindFrom(const std::string& name) {
  for (std::size_t i = 0; i < kKindNames.size(); ++i)
    if (name == kKindNames[i]) return static_cast<DataKind>(i);
  return std::nullopt;
}

std::optional<DataKind> kindIn(const std::filesystem::path& folder) {
  if (hasCifar10Files(folder)) return DataKind::Cifar10;
  if (hasMnistFiles(folder)) return DataKind::Mnist;
  if (hasImageFolders(folder)) return DataKind::Images;
  if (hasText(folder)) return DataKind::Text;
  return std::nullopt;
}

}  // namespace lockstep::trainer
