// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/models/state_dict.h"

#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/frontend/tracer.h>
#include <torch/serialize.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "trainer/models/torch_file.h"

namespace lockstep::trainer {
namespace {

using Tensors = std::map<std::string, at::Tensor>;

Tensors tensorsOf(const Model& model) {
  Tensors all;
  for (const auto& item : model.named_parameters()) all[item.key()] = item.value();
  for (const auto& item : model.named_buffers()) all[item.key()] = item.value();
  for (const auto& [there, here] : model.sharedNames()) all[there] = all.at(here);
  return all;
}

at::Tensor ownCopy(const at::Tensor& tensor) {
  // Parameters are views of one buffer, which would be written whole.
  return tensor.detach().to(at::kCPU).clone(at::MemoryFormat::Contiguous);
}

Result<Tensors> readTensors(const std::string& bytes) {
  auto read = readTorchFile(bytes, {"model", "state_dict"});
  if (!read) return failure(read.error());
  Tensors tensors;
  for (auto& [name, tensor] : *read)
    tensors[name.starts_with("module.") ? name.substr(7) : name] = std::move(tensor);
  return tensors;
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > kShown ? fmt::format("{} and {} more", text, names.size() - kShown) : text;
}

std::string sizesOf(const at::Tensor& tensor) {
  return fmt::format("{}", fmt::join(tensor.sizes(), " x "));
}

// What does not fit; empty: all does.
std::string misfits(const Tensors& mine, const Tensors& given) {
  std::vector<std::string> missing, unknown, other;
  for (const auto& [name, tensor] : mine) {
    const auto found = given.find(name);
    if (found == given.end()) {
      missing.push_back(name);
    } else if (found->second.sizes() != tensor.sizes()) {
      other.push_back(fmt::format("{} is {} and not {}", name, sizesOf(found->second), sizesOf(tensor)));
    }
  }
  for (const auto& entry : given)
    if (!mine.contains(entry.first)) unknown.push_back(entry.first);
  std::string text;
  if (!missing.empty()) text += "missing: " + listed(missing) + "; ";
  if (!unknown.empty()) text += "unknown: " + listed(unknown) + "; ";
  if (!other.empty()) text += listed(other) + "; ";
  return text.substr(0, text.size() < 2 ? 0 : text.size() - 2);
}

torch::jit::Module scriptOf(const torch::nn::Module& module, const std::string& name) {
  torch::jit::Module script(name);
  for (const auto& item : module.named_parameters(false))
    script.register_parameter(item.key(), item.value(), false);
  for (const auto& item : module.named_buffers(false)) script.register_buffer(item.key(), item.value());
  for (const auto& child : module.named_children())
    script.register_module(child.key(), scriptOf(*child.value(), name + "_" + child.key()));
  return script;
}

at::Tensor exampleInput(const SampleShape& shape) {
  constexpr int kSamples = 2;  // one would be traced as a constant by some operators
  if (shape.isImage()) return at::rand({kSamples, shape.channels, shape.height, shape.width});
  return at::zeros({kSamples, shape.length}, at::kLong);
}

std::string scriptBytes(Model& model, const SampleShape& shape) {
  torch::jit::Module script = scriptOf(model, "Network");
  const auto run = [&](const torch::jit::Stack& inputs) -> torch::jit::Stack {
    return {model.scores(inputs.at(0).toTensor())};
  };
  const auto nameless = [](const at::Tensor&) { return std::string(); };
  auto traced =
      torch::jit::tracer::trace({exampleInput(shape)}, run, nameless, true, false, &script, {"input"});
  const auto graph = traced.first->graph;
  auto* function = script._ivalue()->compilation_unit()->create_function(
      c10::QualifiedName(*script.type()->name(), "forward"), graph);
  script.type()->addMethod(function);
  std::ostringstream out;
  script.save(out);
  return out.str();
}

}  // namespace

std::string stateDictBytes(const Model& model) {
  c10::Dict<std::string, at::Tensor> state;
  for (const auto& [name, tensor] : tensorsOf(model)) state.insert(name, ownCopy(tensor));
  const std::vector<char> bytes = torch::pickle_save(state);
  return {bytes.begin(), bytes.end()};
}

Result<void> loadStateDict(Model& model, const std::string& bytes) {
  const auto given = readTensors(bytes);
  if (!given) return failure(given.error());
  Tensors mine = tensorsOf(model);
  if (const std::string text = misfits(mine, *given); !text.empty())
    return failure(ErrorCode::InvalidArgument, "the weights are not of this network", text);
  const at::NoGradGuard noGrad;
  for (auto& [name, tensor] : mine) tensor.copy_(given->at(name));
  return {};
}

Result<std::string> torchScriptBytes(const Model& model, const ModelSpec& spec) {
  auto copy = makeModel(spec);  // of its own, so that tracing leaves the one that trains alone
  if (!copy) return failure(copy.error());
  try {
    const at::NoGradGuard noGrad;
    Tensors to = tensorsOf(**copy);
    for (const auto& [name, tensor] : tensorsOf(model)) to.at(name).copy_(tensor);
    for (at::Tensor& parameter : (*copy)->parameters()) parameter.set_requires_grad(false);
    (*copy)->eval();
    return scriptBytes(**copy, spec.shape);
  } catch (const std::exception& error) {
    return failure(ErrorCode::Internal, "cannot turn the network into TorchScript", error.what());
  }
}

}  // namespace lockstep::trainer
