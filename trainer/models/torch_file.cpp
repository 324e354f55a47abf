// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/models/torch_file.h"

#include <ATen/ATen.h>
#include <caffe2/serialize/inline_container.h>
#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

#include "trainer/models/pickle.h"
#include "trainer/models/zip_contents.h"

namespace lockstep::trainer {
namespace {

using Tensors = std::map<std::string, at::Tensor>;

at::ScalarType typeOf(const std::string& storage) {
  static const std::map<std::string, at::ScalarType> kTypes = {
      {"FloatStorage", at::kFloat},       {"DoubleStorage", at::kDouble}, {"HalfStorage", at::kHalf},
      {"BFloat16Storage", at::kBFloat16}, {"LongStorage", at::kLong},     {"IntStorage", at::kInt},
      {"ShortStorage", at::kShort},       {"CharStorage", at::kChar},     {"ByteStorage", at::kByte},
      {"BoolStorage", at::kBool}};
  const auto found = kTypes.find(storage);
  if (found == kTypes.end()) throw std::runtime_error(fmt::format("it has a tensor of '{}'", storage));
  return found->second;
}

// Makes the tensors that a pickle describes out of the archive's records. A tensor is only made where its
// record has all its bytes; and all of them together are not much larger than the file, though a description
// of some bytes could take the same record a million times.
class TensorMaker {
 public:
  TensorMaker(caffe2::serialize::PyTorchStreamReader& archive, std::size_t fileBytes)
      : archive_(archive), bytesLeft_(kLargestTimes * static_cast<std::int64_t>(fileBytes)) {}

  at::Tensor make(const PickledTensor& described) {
    const at::ScalarType type = typeOf(described.storageType);
    const auto extent = extentOf(described, static_cast<std::int64_t>(at::elementSize(type)));
    if (!extent) throw std::runtime_error(extent.error().what);
    if (extent->storageBytes == 0) return at::empty(described.sizes, type);
    open(described.record);
    if (extent->storageBytes > static_cast<std::int64_t>(size_))
      throw std::runtime_error("it has a tensor that is larger than its bytes");
    spend(extent->ownBytes);
    const auto element = static_cast<std::int64_t>(at::elementSize(type));
    char* first = static_cast<char*>(data_.get()) + described.offset * element;
    return at::from_blob(first, described.sizes, described.strides, at::TensorOptions(type)).clone();
  }

 private:
  static constexpr std::int64_t kLargestTimes = 8;

  // Tensors of one storage stand beside each other, so the last record is kept.
  void open(const std::string& name) {
    if (name == name_) return;
    name_.clear();
    std::tie(data_, size_) = archive_.getRecord(name);
    spend(static_cast<std::int64_t>(size_));
    name_ = name;
  }
  void spend(std::int64_t bytes) {
    if (bytes > bytesLeft_) throw std::runtime_error("its tensors are far larger than the file");
    bytesLeft_ -= bytes;
  }

  caffe2::serialize::PyTorchStreamReader& archive_;
  std::int64_t bytesLeft_;
  std::string name_;
  at::DataPtr data_;
  std::size_t size_ = 0;
};

Tensors tensorsOf(const std::string& bytes, const std::vector<std::string>& inner) {
  if (auto small = checkZipContents(bytes); !small) throw std::runtime_error(small.error().cause);
  std::istringstream stream(bytes);
  caffe2::serialize::PyTorchStreamReader archive(&stream);
  const auto [data, size] = archive.getRecord("data.pkl");
  const auto described = readPickledTensors({static_cast<const char*>(data.get()), size}, inner);
  if (!described) throw std::runtime_error(described.error().what);
  TensorMaker maker(archive, bytes.size());
  Tensors tensors;
  for (const PickledEntry& one : *described) tensors[one.name] = maker.make(one.tensor);
  return tensors;
}

}  // namespace

Result<Tensors> readTorchFile(const std::string& bytes, const std::vector<std::string>& inner) {
  try {
    return tensorsOf(bytes, inner);
  } catch (const std::exception& error) {
    const std::string text = error.what();
    return failure(ErrorCode::DataLoss, "this is no file of torch.save", text.substr(0, text.find('\n')),
                   "save one with torch.save(model.state_dict(), path)");
  }
}

}  // namespace lockstep::trainer
