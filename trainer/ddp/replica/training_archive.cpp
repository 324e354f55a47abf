// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/replica/training_archive.h"

#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <torch/serialize.h>

#include "trainer/models/state_dict.h"
#include "trainer/models/zip_contents.h"

namespace lockstep::trainer {
namespace {

using TensorDict = c10::Dict<std::string, at::Tensor>;

at::Tensor copyOf(const at::Tensor& tensor) {
  return tensor.detach().to(at::kCPU).clone(
      at::MemoryFormat::Contiguous);  // a view would be written with all it looks at
}

// Calls action(name, tensor) for the part of each moment that belongs to a parameter.
template <class Action>
void forEachMoment(const Model& model, const FlatParameters& flat, FlatOptimizer& optimizer,
                   Action&& action) {
  const auto names = model.named_parameters().keys();
  const std::vector<at::Tensor> moments = optimizer.moments();
  for (std::size_t number = 0; number < moments.size(); ++number) {
    for (std::size_t i = 0; i < flat.slices().size(); ++i) {
      const auto& slice = flat.slices()[i];
      const at::Tensor part = moments[number].as_strided(slice.parameter.sizes(), slice.parameter.strides(),
                                                         static_cast<std::int64_t>(slice.offset));
      action(fmt::format("moment{}.{}", number, names[names.size() - 1 - i]),
             part);  // slices begin at the end
    }
  }
}

TensorDict modelTensors(const Model& model) {
  TensorDict tensors;
  for (const auto& item : model.named_parameters()) tensors.insert(item.key(), copyOf(item.value()));
  for (const auto& item : model.named_buffers()) tensors.insert(item.key(), copyOf(item.value()));
  for (const auto& [there, here] : model.sharedNames()) tensors.insert(there, tensors.at(here));
  return tensors;
}

// None where there is no such key.
c10::IValue entryOf(const c10::impl::GenericDict& dict, const std::string& key) {
  for (const auto& entry : dict)
    if (entry.key().isString() && entry.key().toStringRef() == key) return entry.value();
  return {};
}

Error noCheckpoint(const std::string& cause) {
  return failure(ErrorCode::DataLoss, "this is no checkpoint of a training", cause).value();
}

}  // namespace

std::string archiveBytes(const Model& model, const FlatParameters& flat, FlatOptimizer& optimizer,
                         const std::string& position) {
  TensorDict state;
  forEachMoment(model, flat, optimizer,
                [&](const std::string& name, const at::Tensor& part) { state.insert(name, copyOf(part)); });
  state.insert("updates", at::scalar_tensor(static_cast<std::int64_t>(optimizer.updates()), at::kLong));
  c10::impl::GenericDict all(c10::StringType::get(), c10::AnyType::get());
  all.insert("model", modelTensors(model));
  all.insert("optimizer", state);
  all.insert("position", position);
  const std::vector<char> bytes = torch::pickle_save(all);
  return {bytes.begin(), bytes.end()};
}

Result<std::string> restoreArchive(const std::string& bytes, Model& model, const FlatParameters& flat,
                                   FlatOptimizer& optimizer) {
  if (auto small = checkZipContents(bytes); !small) return failure(noCheckpoint(small.error().cause));
  try {
    const c10::IValue value = torch::pickle_load({bytes.begin(), bytes.end()});
    if (!value.isGenericDict()) return failure(noCheckpoint("it holds no dict"));
    const auto position = entryOf(value.toGenericDict(), "position");
    const auto state = entryOf(value.toGenericDict(), "optimizer");
    if (!position.isString() || !state.isGenericDict())
      return failure(noCheckpoint("it has no 'position' and 'optimizer'; weights alone go to --weights"));
    if (auto loaded = loadStateDict(model, bytes); !loaded) return failure(loaded.error());
    std::string unfit;
    const at::NoGradGuard noGrad;
    forEachMoment(model, flat, optimizer, [&](const std::string& name, const at::Tensor& part) {
      const auto saved = entryOf(state.toGenericDict(), name);
      if (!saved.isTensor() || saved.toTensor().sizes() != part.sizes()) {
        unfit = name;
      } else {
        part.copy_(saved.toTensor());
      }
    });
    const auto updates = entryOf(state.toGenericDict(), "updates");
    if (!unfit.empty() || !updates.isTensor())
      return failure(ErrorCode::InvalidArgument, "the checkpoint is of another optimizer",
                     fmt::format("it has no '{}'", unfit.empty() ? "updates" : unfit),
                     "resume with the --optimizer that it was made with");
    optimizer.setUpdates(updates.toTensor().item<std::int64_t>());
    return position.toStringRef();
  } catch (const std::exception& error) {
    const std::string text = error.what();
    return failure(noCheckpoint(text.substr(0, text.find('\n'))));
  }
}

}  // namespace lockstep::trainer
