// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/models/pickle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <deque>
#include <map>
#include <stdexcept>

namespace lockstep::trainer {
namespace {

// A thousand times what the largest networks have. What a program may make is bounded by its length anyway;
// this keeps the memory for it in the hundreds of megabytes.
constexpr std::size_t kMaxEntries = 4'000'000;
// A short program can name the same long text in many places, so what is copied for a tensor is bounded too.
constexpr std::size_t kMaxTensors = 200'000;
constexpr std::size_t kMaxDimensions = 16;
constexpr std::size_t kLongestName = 512;

// One thing of the pickled world. Text lies in the program, and lists belong to the machine that reads it: so
// a value is copied in no time, a list that holds itself is no leak, and one in one in one a million times is
// freed without a call for each.
struct Value {
  enum class Kind { Nothing, Mark, Number, Text, Global, List, Dict, Tensor, Storage };
  Kind kind = Kind::Nothing;
  std::size_t list = 0;  // List, Dict: its items (key, value, key, value…); Tensor, Storage: the arguments
  std::int64_t number = 0;
  std::string_view text;  // Text; Global: "module\nname"
  [[nodiscard]] bool hasItems() const { return kind == Kind::List || kind == Kind::Dict; }
};
using Values = std::vector<Value>;

[[noreturn]] void refuse(const std::string& text) {
  throw std::runtime_error(text);
}

// The machine that pickle is, as far as files of tensors need it. Throws std::runtime_error.
class Unpickling {
 public:
  explicit Unpickling(std::string_view program) : program_(program) {}

  Value run() {
    for (;;) {
      const auto code = static_cast<unsigned char>(take(1)[0]);
      if (code == '.') return pop();
      step(code);
    }
  }
  [[nodiscard]] const Values& itemsOf(const Value& value) const { return lists_[value.list]; }

 private:
  void step(unsigned char code);
  bool stepOfMemory(unsigned char code);
  bool stepOfValues(unsigned char code);
  bool stepOfNumbers(unsigned char code);
  std::string_view take(std::uint64_t count);
  std::string_view global();
  std::uint64_t little(std::size_t bytes);
  std::int64_t signedLittle(std::size_t bytes);
  Value pop();
  Values popToMark();
  Values popSome(std::size_t count);
  void push(Value value);
  void pushNumber(std::int64_t number);
  Value keep(Value::Kind kind, Values items);
  void addTo(const Values& items);
  [[nodiscard]] Value called(const Value& function, const Value& arguments);

  std::string_view program_;
  std::size_t at_ = 0;
  Values stack_;
  std::deque<Values> lists_;
  std::map<std::uint64_t, Value> memo_;
  std::size_t made_ = 0;
};

std::string_view Unpickling::take(std::uint64_t count) {
  if (count > program_.size() - at_) refuse("it ends too early");
  at_ += count;
  return program_.substr(at_ - count, count);
}

// Two lines, which stay one text.
std::string_view Unpickling::global() {
  const std::size_t first = program_.find('\n', at_);
  const std::size_t second = first == std::string_view::npos ? first : program_.find('\n', first + 1);
  if (second == std::string_view::npos) refuse("it ends too early");
  const std::string_view text = take(second - at_);
  take(1);
  return text;
}

std::uint64_t Unpickling::little(std::size_t bytes) {
  std::uint64_t value = 0;
  const std::string_view raw = take(bytes);
  for (std::size_t i = bytes; i-- > 0;) value = value << 8U | static_cast<unsigned char>(raw[i]);
  return value;
}

std::int64_t Unpickling::signedLittle(std::size_t bytes) {
  std::uint64_t value = little(bytes);
  if (bytes > 0 && bytes < 8 && (value >> (8 * bytes - 1)) != 0) value |= ~0ULL << (8 * bytes);
  return static_cast<std::int64_t>(value);
}

Value Unpickling::pop() {
  if (stack_.empty()) refuse("its stack is empty");
  const Value top = stack_.back();
  stack_.pop_back();
  return top;
}

Values Unpickling::popToMark() {
  std::size_t first = stack_.size();
  while (first > 0 && stack_[first - 1].kind != Value::Kind::Mark) --first;
  if (first == 0) refuse("its stack is empty");
  Values items = popSome(stack_.size() - first);
  stack_.pop_back();  // the mark
  return items;
}

Values Unpickling::popSome(std::size_t count) {
  if (count > stack_.size()) refuse("its stack is empty");
  const auto first = stack_.end() - static_cast<std::ptrdiff_t>(count);
  Values items(first, stack_.end());
  stack_.erase(first, stack_.end());
  return items;
}

void Unpickling::push(Value value) {
  if (++made_ > kMaxEntries) refuse(fmt::format("it has more than {} entries", kMaxEntries));
  stack_.push_back(value);
}

void Unpickling::pushNumber(std::int64_t number) {
  Value value;
  value.kind = Value::Kind::Number;
  value.number = number;
  push(value);
}

Value Unpickling::keep(Value::Kind kind, Values items) {
  Value value;
  value.kind = kind;
  value.list = lists_.size();
  lists_.push_back(std::move(items));
  return value;
}

void Unpickling::addTo(const Values& items) {
  if (stack_.empty() || !stack_.back().hasItems()) refuse("something is added to no list");
  Values& to = lists_[stack_.back().list];
  to.insert(to.end(), items.begin(), items.end());
}

void Unpickling::step(unsigned char code) {
  if (stepOfValues(code) || stepOfNumbers(code) || stepOfMemory(code)) return;
  switch (code) {
    case 0x80:  // PROTO
      take(1);
      return;
    case 'R': {
      const Value arguments = pop();
      const Value function = pop();
      return push(called(function, arguments));
    }
    case 'Q': {
      Value id = pop();
      if (!id.hasItems()) refuse("it has a storage without a name");
      id.kind = Value::Kind::Storage;
      return push(id);
    }
    case 'b':  // the attributes of an object: nothing here needs them
      pop();
      return;
    case 's':
      return addTo(popSome(2));
    case 'a':
      return addTo(popSome(1));
    case 'u':
    case 'e':
      return addTo(popToMark());
    default:
      refuse(fmt::format("it has the pickle instruction 0x{:02x}", code));
  }
}

bool Unpickling::stepOfMemory(unsigned char code) {
  switch (code) {
    case 'q':
    case 'r':
      if (stack_.empty()) refuse("its stack is empty");
      memo_[little(code == 'q' ? 1 : 4)] = stack_.back();
      return true;
    case 'h':
    case 'j': {
      const auto found = memo_.find(little(code == 'h' ? 1 : 4));
      if (found == memo_.end()) refuse("it asks for what it did not keep");
      push(found->second);
      return true;
    }
    default:
      return false;
  }
}

bool Unpickling::stepOfValues(unsigned char code) {
  Value value;
  switch (code) {
    case 'N':
      break;
    case '(':
      value.kind = Value::Kind::Mark;
      break;
    case 'X':
      value.kind = Value::Kind::Text;
      value.text = take(little(4));
      break;
    case 'c':
      value.kind = Value::Kind::Global;
      value.text = global();
      break;
    case '}':
      value = keep(Value::Kind::Dict, {});
      break;
    case ']':
    case ')':
      value = keep(Value::Kind::List, {});
      break;
    case 't':
      value = keep(Value::Kind::List, popToMark());
      break;
    case 0x85:
    case 0x86:
    case 0x87:
      value = keep(Value::Kind::List, popSome(code - 0x84U));
      break;
    default:
      return false;
  }
  push(value);
  return true;
}

bool Unpickling::stepOfNumbers(unsigned char code) {
  switch (code) {
    case 'J':
      pushNumber(signedLittle(4));
      return true;
    case 'K':
      pushNumber(static_cast<std::int64_t>(little(1)));
      return true;
    case 'M':
      pushNumber(static_cast<std::int64_t>(little(2)));
      return true;
    case 0x8a: {
      const std::uint64_t size = little(1);
      if (size > 8) refuse("it has a number that is too large");
      pushNumber(signedLittle(size));
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

Value Unpickling::called(const Value& function, const Value& arguments) {
  if (function.text == "collections\nOrderedDict") return keep(Value::Kind::Dict, {});
  if (!arguments.hasItems()) refuse("something is called without arguments");
  const Values& given = lists_[arguments.list];
  Value result;  // of anything else: nothing
  // The second is what LibTorch's writer puts around a dict to say of what type it is.
  if ((function.text == "torch._utils\n_rebuild_parameter" ||
       function.text == "torch.jit._pickle\nrestore_type_tag") &&
      !given.empty())
    return given.front();
  if (function.text != "torch._utils\n_rebuild_tensor_v2") return result;
  result.kind = Value::Kind::Tensor;
  result.list = arguments.list;
  return result;
}

std::vector<std::int64_t> numbersOf(const Values& items) {
  if (items.size() > kMaxDimensions) refuse("it has a tensor of no shape");
  std::vector<std::int64_t> numbers;
  for (const Value& item : items) {
    if (item.kind != Value::Kind::Number) refuse("it has a tensor of no shape");
    numbers.push_back(item.number);
  }
  return numbers;
}

std::string nameIn(const Value& value) {
  if (value.text.size() > kLongestName) refuse(fmt::format("it has a name of {} bytes", value.text.size()));
  return std::string(value.text);
}

// For a message: what no class of Python's is called is not repeated.
std::string className(const std::string& name) {
  const auto isPlain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.'; };
  return std::all_of(name.begin(), name.end(), isPlain) ? name : "a strange name";
}

// (storage, offset, size, stride, …), where a storage is ('storage', torch.FloatStorage, '0', 'cpu', 12)
PickledTensor tensorOf(const Unpickling& world, const Value& value) {
  const Values& arguments = world.itemsOf(value);
  if (arguments.size() < 4 || arguments[0].kind != Value::Kind::Storage ||
      arguments[1].kind != Value::Kind::Number || !arguments[2].hasItems() || !arguments[3].hasItems())
    refuse("it has a tensor without a storage");
  const Values& id = world.itemsOf(arguments[0]);
  if (id.size() < 5) refuse("it has a storage without a name");
  const std::string type = nameIn(id[1]);
  PickledTensor tensor;
  tensor.storageType = className(type.substr(type.find('\n') + 1));
  if (!type.starts_with("torch\n")) refuse(fmt::format("it has a tensor of '{}'", tensor.storageType));
  tensor.record = "data/" + nameIn(id[2]);
  tensor.offset = arguments[1].number;
  tensor.sizes = numbersOf(world.itemsOf(arguments[2]));
  tensor.strides = numbersOf(world.itemsOf(arguments[3]));
  return tensor;
}

// The dict under that key, if there is one.
const Value* innerDict(const Unpickling& world, const Value& dict, std::string_view key) {
  const Values& items = world.itemsOf(dict);
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    if (items[i].kind == Value::Kind::Text && items[i].text == key)
      return items[i + 1].kind == Value::Kind::Dict ? &items[i + 1] : nullptr;
  }
  return nullptr;
}

std::vector<PickledEntry> tensorsIn(const Unpickling& world, Value value,
                                    const std::vector<std::string>& inner) {
  for (const std::string& key : inner) {
    if (value.kind != Value::Kind::Dict) break;
    if (const Value* found = innerDict(world, value, key)) value = *found;
  }
  if (value.kind != Value::Kind::Dict) refuse("it holds no dict");
  const Values& items = world.itemsOf(value);
  std::vector<PickledEntry> tensors;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    if (items[i + 1].kind != Value::Kind::Tensor) continue;
    if (tensors.size() == kMaxTensors) refuse(fmt::format("it has more than {} tensors", kMaxTensors));
    tensors.push_back({nameIn(items[i]), tensorOf(world, items[i + 1])});
  }
  return tensors;
}

}  // namespace

Result<TensorExtent> extentOf(const PickledTensor& tensor, std::int64_t elementSize) {
  const auto shapeless = failure(ErrorCode::DataLoss, "it has a tensor of no shape");
  if (tensor.offset < 0 || tensor.strides.size() != tensor.sizes.size()) return shapeless;
  bool isEmpty = false, tooLarge = false;
  TensorExtent extent{elementSize, 0};
  std::int64_t last = tensor.offset;  // the element that lies furthest
  for (std::size_t i = 0; i < tensor.sizes.size(); ++i) {
    if (tensor.sizes[i] < 0 || tensor.strides[i] < 0) return shapeless;
    isEmpty = isEmpty || tensor.sizes[i] == 0;
    std::int64_t way = 0;
    tooLarge |=
        __builtin_mul_overflow(std::max<std::int64_t>(tensor.sizes[i], 1) - 1, tensor.strides[i], &way);
    tooLarge |= __builtin_add_overflow(last, way, &last);
    tooLarge |=
        __builtin_mul_overflow(extent.ownBytes, std::max<std::int64_t>(tensor.sizes[i], 1), &extent.ownBytes);
  }
  tooLarge |= __builtin_add_overflow(last, 1, &last);
  tooLarge |= __builtin_mul_overflow(last, elementSize, &extent.storageBytes);
  if (tooLarge) return failure(ErrorCode::DataLoss, "it has a tensor that is larger than its bytes");
  if (isEmpty) return TensorExtent{};
  return extent;
}

Result<std::vector<PickledEntry>> readPickledTensors(std::string_view program,
                                                     const std::vector<std::string>& inner) {
  try {
    Unpickling world(program);
    const Value value = world.run();
    return tensorsIn(world, value, inner);
  } catch (const std::exception& error) {
    return failure(ErrorCode::DataLoss, error.what());
  }
}

}  // namespace lockstep::trainer
