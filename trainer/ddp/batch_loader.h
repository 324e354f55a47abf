// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <span>

#include "trainer/ddp/cifar10.h"

namespace lockstep::trainer {

/// Copies the images of `indices` into `pixels`, channel-last and scaled from 0…255 to -1…1 (what ToTensor
/// and Normalize(0.5, 0.5) give), and their classes into `labels`. Both spans hold exactly indices.size()
/// samples.
void gatherBatch(const ImageSet& images, std::span<const std::size_t> indices, std::span<float> pixels,
                 std::span<std::int64_t> labels);

}  // namespace lockstep::trainer
