// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/models/model.h"

#include "trainer/models/cifar_net.h"
#include "trainer/models/gpt.h"
#include "trainer/models/mnist_net.h"
#include "trainer/models/resnet.h"

namespace lockstep::trainer {

Result<std::shared_ptr<Model>> makeModel(const ModelSpec& spec) {
  if (auto fits = checkModel(spec); !fits) return failure(fits.error());
  if (spec.name == "cifar") return std::make_shared<CifarNet>(spec.dropout.value_or(0.2), spec.shape.classes);
  if (spec.name == "mnist") return std::make_shared<MnistNet>(spec.dropout, spec.shape.classes);
  if (spec.name == "resnet18") return std::make_shared<ResNet>(ResNetDepth::Eighteen, spec.shape);
  if (spec.name == "resnet50") return std::make_shared<ResNet>(ResNetDepth::Fifty, spec.shape);
  if (const auto size = gptSize(spec.name))
    return std::make_shared<Gpt>(*size, spec.shape.classes, spec.dropout.value_or(0));
  return failure(ErrorCode::InvalidArgument, "there is no network '" + spec.name + "'");
}

}  // namespace lockstep::trainer
