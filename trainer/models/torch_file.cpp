// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/models/torch_file.h"

#include <ATen/ATen.h>
#include <caffe2/serialize/inline_container.h>
#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace lockstep::trainer {
namespace {

// One thing of the pickled world. Dicts and lists are shared, because the memo hands them out again.
struct Pickled {
  enum class Kind { Nothing, Mark, Number, Text, Global, List, Dict, Tensor, Storage };
  Kind kind = Kind::Nothing;
  long long number = 0;
  std::string text;  // Text; Global: "module name"; Storage: its record
  at::ScalarType type = at::kFloat;
  at::Tensor tensor;
  std::shared_ptr<std::vector<Pickled>> items;  // List (tuples too); Dict: key, value, key, value…
};
using Items = std::vector<Pickled>;

Pickled listOf(Items items) {
  Pickled list;
  list.kind = Pickled::Kind::List;
  list.items = std::make_shared<Items>(std::move(items));
  return list;
}

Pickled emptyDict() {
  Pickled dict;
  dict.kind = Pickled::Kind::Dict;
  dict.items = std::make_shared<Items>();
  return dict;
}

at::ScalarType typeOf(const std::string& storage) {
  static const std::map<std::string, at::ScalarType> kTypes = {
      {"torch FloatStorage", at::kFloat}, {"torch DoubleStorage", at::kDouble},
      {"torch HalfStorage", at::kHalf},   {"torch BFloat16Storage", at::kBFloat16},
      {"torch LongStorage", at::kLong},   {"torch IntStorage", at::kInt},
      {"torch ShortStorage", at::kShort}, {"torch CharStorage", at::kChar},
      {"torch ByteStorage", at::kByte},   {"torch BoolStorage", at::kBool}};
  const auto found = kTypes.find(storage);
  if (found == kTypes.end()) throw std::runtime_error(fmt::format("it has a tensor of '{}'", storage));
  return found->second;
}

// The machine that pickle is, as far as files of tensors need it. Throws std::runtime_error.
class Unpickling {
 public:
  Unpickling(std::string program, caffe2::serialize::PyTorchStreamReader& archive)
      : program_(std::move(program)), archive_(archive) {}

  Pickled run() {
    for (;;) {
      const auto code = static_cast<unsigned char>(take(1)[0]);
      if (code == '.') return pop();
      step(code);
    }
  }

 private:
  void step(unsigned char code);
  bool stepOfValues(unsigned char code);
  bool stepOfNumbers(unsigned char code);
  std::string_view take(std::size_t count) {
    if (count > program_.size() - at_) throw std::runtime_error("it ends too early");
    at_ += count;
    return std::string_view(program_).substr(at_ - count, count);
  }
  std::string line() {
    const std::size_t end = program_.find('\n', at_);
    if (end == std::string::npos) throw std::runtime_error("it ends too early");
    std::string text(take(end - at_));
    take(1);
    return text;
  }
  long long little(std::size_t bytes, bool isSigned) {
    std::uint64_t value = 0;
    const std::string_view raw = take(bytes);
    for (std::size_t i = bytes; i-- > 0;) value = value << 8U | static_cast<unsigned char>(raw[i]);
    if (isSigned && bytes > 0 && bytes < 8 && (value >> (8 * bytes - 1)) != 0) value |= ~0ULL << (8 * bytes);
    return static_cast<long long>(value);
  }
  Pickled pop() {
    if (stack_.empty()) throw std::runtime_error("its stack is empty");
    Pickled top = std::move(stack_.back());
    stack_.pop_back();
    return top;
  }
  Items popToMark() {
    Items items;
    for (Pickled top = pop(); top.kind != Pickled::Kind::Mark; top = pop())
      items.insert(items.begin(), std::move(top));
    return items;
  }
  Items popSome(std::size_t count) {
    Items items;
    for (std::size_t i = 0; i < count; ++i) items.insert(items.begin(), pop());
    return items;
  }
  void pushNumber(long long number) {
    Pickled value;
    value.kind = Pickled::Kind::Number;
    value.number = number;
    stack_.push_back(std::move(value));
  }
  void addTo(Items items) {
    if (stack_.empty() || !stack_.back().items) throw std::runtime_error("something is added to no list");
    Items& to = *stack_.back().items;
    to.insert(to.end(), std::make_move_iterator(items.begin()), std::make_move_iterator(items.end()));
  }
  static Pickled storageOf(const Pickled& id);
  Pickled called(const Pickled& function, const Pickled& arguments);
  at::Tensor tensorOf(const Items& arguments);

  std::string program_;
  caffe2::serialize::PyTorchStreamReader& archive_;
  std::size_t at_ = 0;
  Items stack_;
  std::map<long long, Pickled> memo_;
};

void Unpickling::step(unsigned char code) {
  if (stepOfValues(code) || stepOfNumbers(code)) return;
  switch (code) {
    case 0x80:  // PROTO
      take(1);
      return;
    case '(':
      stack_.emplace_back().kind = Pickled::Kind::Mark;
      return;
    case 'q':
    case 'r':
      if (stack_.empty()) throw std::runtime_error("its stack is empty");
      memo_[little(code == 'q' ? 1 : 4, false)] = stack_.back();
      return;
    case 'h':
    case 'j':
      stack_.push_back(memo_.at(little(code == 'h' ? 1 : 4, false)));
      return;
    case 'R': {
      const Pickled arguments = pop();
      const Pickled function = pop();
      stack_.push_back(called(function, arguments));
      return;
    }
    case 'Q':
      stack_.push_back(storageOf(pop()));
      return;
    case 'b':  // the attributes of an object: nothing here needs them
      pop();
      return;
    case 's':
      addTo(popSome(2));
      return;
    case 'a':
      addTo(popSome(1));
      return;
    case 'u':
    case 'e':
      addTo(popToMark());
      return;
    default:
      throw std::runtime_error(fmt::format("it has the pickle instruction 0x{:02x}", code));
  }
}

bool Unpickling::stepOfValues(unsigned char code) {
  Pickled value;
  switch (code) {
    case 'N':
      break;
    case 'X':
      value.kind = Pickled::Kind::Text;
      value.text = std::string(take(static_cast<std::size_t>(little(4, false))));
      break;
    case 'c':
      value.kind = Pickled::Kind::Global;
      value.text = line();
      value.text += " " + line();
      break;
    case '}':
      value = emptyDict();
      break;
    case ']':
    case ')':
      value = listOf({});
      break;
    case 't':
      value = listOf(popToMark());
      break;
    case 0x85:
    case 0x86:
    case 0x87:
      value = listOf(popSome(code - 0x84U));
      break;
    default:
      return false;
  }
  stack_.push_back(std::move(value));
  return true;
}

bool Unpickling::stepOfNumbers(unsigned char code) {
  switch (code) {
    case 'J':
      pushNumber(little(4, true));
      return true;
    case 'K':
      pushNumber(little(1, false));
      return true;
    case 'M':
      pushNumber(little(2, false));
      return true;
    case 0x8a: {
      const auto size = static_cast<std::size_t>(little(1, false));
      if (size > 8) throw std::runtime_error("it has a number that is too large");
      pushNumber(little(size, true));
      return true;
    }
    case 0x88:
    case 0x89:
      pushNumber(code == 0x88 ? 1 : 0);
      return true;
    case 'G':  // a real number: nothing here needs it
      take(8);
      pushNumber(0);
      return true;
    default:
      return false;
  }
}

// ('storage', torch.FloatStorage, '0', 'cpu', 12)
Pickled Unpickling::storageOf(const Pickled& id) {
  if (!id.items || id.items->size() < 5) throw std::runtime_error("it has a storage without a name");
  Pickled storage;
  storage.kind = Pickled::Kind::Storage;
  storage.type = typeOf((*id.items)[1].text);
  storage.text = "data/" + (*id.items)[2].text;
  return storage;
}

Pickled Unpickling::called(const Pickled& function, const Pickled& arguments) {
  if (function.text == "collections OrderedDict") return emptyDict();
  if (!arguments.items) throw std::runtime_error("something is called without arguments");
  Pickled result;  // of anything else: nothing
  if (function.text == "torch._utils _rebuild_parameter" && !arguments.items->empty())
    return arguments.items->front();
  // What LibTorch's writer puts around a dict to say of what type it is.
  if (function.text == "torch.jit._pickle restore_type_tag" && !arguments.items->empty())
    return arguments.items->front();
  if (function.text != "torch._utils _rebuild_tensor_v2") return result;
  result.kind = Pickled::Kind::Tensor;
  result.tensor = tensorOf(*arguments.items);
  return result;
}

// (storage, offset, size, stride, …)
at::Tensor Unpickling::tensorOf(const Items& arguments) {
  if (arguments.size() < 4 || arguments[0].kind != Pickled::Kind::Storage || !arguments[2].items ||
      !arguments[3].items)
    throw std::runtime_error("it has a tensor without a storage");
  auto [data, size] = archive_.getRecord(arguments[0].text);
  std::vector<std::int64_t> sizes, strides;
  for (const Pickled& item : *arguments[2].items) sizes.push_back(item.number);
  for (const Pickled& item : *arguments[3].items) strides.push_back(item.number);
  const auto element = static_cast<std::int64_t>(at::elementSize(arguments[0].type));
  constexpr std::int64_t kLongest = 1LL << 31;  // so that products do not run over
  std::int64_t needed = arguments[1].number + 1;
  bool isEmpty = false;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 0 || i >= strides.size() || strides[i] < 0 || sizes[i] > kLongest || strides[i] > kLongest)
      throw std::runtime_error("it has a tensor of no shape");
    isEmpty = isEmpty || sizes[i] == 0;
    needed += (sizes[i] - 1) * strides[i];
  }
  if (isEmpty) return at::empty(sizes, arguments[0].type);
  if (arguments[1].number < 0 || needed * element > static_cast<std::int64_t>(size))
    throw std::runtime_error("it has a tensor that is larger than its bytes");
  const auto* first = static_cast<const char*>(data.get()) + arguments[1].number * element;
  return at::from_blob(const_cast<char*>(first), sizes, strides, at::TensorOptions(arguments[0].type))
      .clone();
}

const Pickled* entryOf(const Pickled& dict, const std::string& key) {
  for (std::size_t i = 0; i + 1 < dict.items->size(); i += 2)
    if ((*dict.items)[i].text == key) return &(*dict.items)[i + 1];
  return nullptr;
}

}  // namespace

Result<std::map<std::string, at::Tensor>> readTorchFile(const std::string& bytes,
                                                        const std::vector<std::string>& inner) {
  try {
    std::istringstream stream(bytes);
    caffe2::serialize::PyTorchStreamReader archive(&stream);
    auto [data, size] = archive.getRecord("data.pkl");
    Pickled value = Unpickling(std::string(static_cast<const char*>(data.get()), size), archive).run();
    for (const std::string& key : inner) {
      if (value.kind != Pickled::Kind::Dict) break;
      if (const Pickled* found = entryOf(value, key); found != nullptr && found->kind == Pickled::Kind::Dict)
        value = Pickled(*found);
    }
    if (value.kind != Pickled::Kind::Dict) throw std::runtime_error("it holds no dict");
    std::map<std::string, at::Tensor> tensors;
    for (std::size_t i = 0; i + 1 < value.items->size(); i += 2) {
      const Pickled& item = (*value.items)[i + 1];
      if (item.kind == Pickled::Kind::Tensor) tensors[(*value.items)[i].text] = item.tensor;
    }
    return tensors;
  } catch (const std::exception& error) {
    const std::string text = error.what();
    return failure(StatusCode::DataLoss, "this is no file of torch.save", text.substr(0, text.find('\n')),
                   "save one with torch.save(model.state_dict(), path)");
  }
}

}  // namespace lockstep::trainer
