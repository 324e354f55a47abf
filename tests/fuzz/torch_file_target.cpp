// SPDX-License-Identifier: GPL-3.0-or-later
#include <limits>

#include "fuzz_targets.h"
#include "trainer/models/pickle.h"
#include "trainer/models/zip_contents.h"

namespace lockstep {
namespace {

using namespace trainer;

constexpr std::int64_t kElementSize = 8;
__extension__ typedef __int128 Wide;

// The cause is all there is to say: whoever reads the file says which.
std::string checkRefusal(const Error& error) {
  return error.code != ErrorCode::DataLoss || error.what.empty() ? "refused without a word" : "";
}

// The extent once more, slowly and without a bound on its numbers.
std::string checkExtent(const PickledTensor& tensor) {
  const auto extent = extentOf(tensor, kElementSize);
  if (!extent) return checkRefusal(extent.error());
  if (extent->storageBytes == 0) return {};
  if (tensor.offset < 0) return "a tensor that begins before its storage";
  Wide last = tensor.offset, count = 1;
  for (std::size_t i = 0; i < tensor.sizes.size(); ++i) {
    last += Wide{tensor.sizes[i] - 1} * tensor.strides.at(i);
    count *= tensor.sizes[i];
    if (tensor.sizes[i] <= 0 || tensor.strides[i] < 0) return "a tensor of no shape";
    if (last > std::numeric_limits<std::int64_t>::max() || count > std::numeric_limits<std::int64_t>::max())
      return "a tensor of more bytes than can be counted";
  }
  const bool same =
      extent->storageBytes == (last + 1) * kElementSize && extent->ownBytes == count * kElementSize;
  return same ? "" : "a tensor whose extent is another one";
}

}  // namespace

std::string tryTorchFile(std::string_view input) {
  const auto contents = zipContentBytes(input);
  if (!contents && !checkRefusal(contents.error()).empty()) return checkRefusal(contents.error());
  const auto entries = readPickledTensors(input, {"model", "state_dict"});
  if (!entries) return checkRefusal(entries.error());
  if (entries->size() > input.size()) return "more tensors than bytes";
  for (const PickledEntry& entry : *entries) {
    if (entry.tensor.sizes.size() > input.size()) return "more sizes than bytes";
    if (std::string wrong = checkExtent(entry.tensor); !wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace lockstep
