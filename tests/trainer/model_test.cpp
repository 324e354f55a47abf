// SPDX-License-Identifier: GPL-3.0-or-later
// The networks against Python's: the same names, and the same scores from the same weights, both ways.
#include <gtest/gtest.h>
#include <torch/serialize.h>

#include <array>
#include <limits>

#include "base/atomic_file.h"
#include "base/captured_process.h"
#include "temp_dir.h"
#include "trainer/models/model.h"
#include "trainer/models/pooled_relu.h"
#include "trainer/models/state_dict.h"

namespace lockstep::trainer {
namespace {

constexpr const char* kPython = "/usr/bin/python3";

// The usual definitions; torchvision's names for ResNet.
constexpr const char* kNetworks = R"(
import torch, torch.nn as nn, torch.nn.functional as F, sys
class Cifar(nn.Module):
    def __init__(s):
        super().__init__()
        s.conv1, s.conv2, s.conv3 = nn.Conv2d(3, 32, 3), nn.Conv2d(32, 64, 3), nn.Conv2d(64, 128, 3)
        s.pool, s.dropout = nn.MaxPool2d(2, 2), nn.Dropout(0.2)
        s.fc1, s.fc2, s.fc3 = nn.Linear(4608, 120), nn.Linear(120, 84), nn.Linear(84, 10)
    def forward(s, x):
        x = F.relu(s.conv1(x)); x = s.pool(F.relu(s.conv2(x))); x = s.pool(F.relu(s.conv3(x)))
        return s.fc3(F.relu(s.fc2(s.dropout(F.relu(s.fc1(x.reshape(-1, 4608)))))))
class Mnist(nn.Module):
    def __init__(s):
        super().__init__()
        s.conv1, s.conv2 = nn.Conv2d(1, 32, 3, 1), nn.Conv2d(32, 64, 3, 1)
        s.dropout1, s.dropout2 = nn.Dropout(0.25), nn.Dropout(0.5)
        s.fc1, s.fc2 = nn.Linear(9216, 128), nn.Linear(128, 10)
    def forward(s, x):
        x = s.dropout1(F.max_pool2d(F.relu(s.conv2(F.relu(s.conv1(x)))), 2))
        return s.fc2(s.dropout2(F.relu(s.fc1(torch.flatten(x, 1)))))
class Block(nn.Module):
    def __init__(s, ci, w, stride, deep):
        super().__init__()
        co = 4 * w if deep else w
        c = lambda a, b, k, t: nn.Conv2d(a, b, k, t, k // 2, bias=False)
        if deep:
            s.conv1, s.bn1, s.conv2, s.bn2 = c(ci, w, 1, 1), nn.BatchNorm2d(w), c(w, w, 3, stride), nn.BatchNorm2d(w)
            s.conv3, s.bn3 = c(w, co, 1, 1), nn.BatchNorm2d(co)
        else:
            s.conv1, s.bn1, s.conv2, s.bn2 = c(ci, w, 3, stride), nn.BatchNorm2d(w), c(w, w, 3, 1), nn.BatchNorm2d(w)
        s.deep, s.downsample = deep, None
        if stride != 1 or ci != co: s.downsample = nn.Sequential(c(ci, co, 1, stride), nn.BatchNorm2d(co))
    def forward(s, x):
        y = F.relu(s.bn1(s.conv1(x))); y = s.bn2(s.conv2(y))
        if s.deep: y = s.bn3(s.conv3(F.relu(y)))
        return F.relu(y + (x if s.downsample is None else s.downsample(x)))
class ResNet(nn.Module):
    def __init__(s, counts, deep, side):
        super().__init__()
        s.small = side < 64
        s.conv1 = nn.Conv2d(3, 64, 3, 1, 1, bias=False) if s.small else nn.Conv2d(3, 64, 7, 2, 3, bias=False)
        s.bn1, ci = nn.BatchNorm2d(64), 64
        for i, n in enumerate(counts):
            blocks = []
            for k in range(n):
                blocks.append(Block(ci, 64 << i, 2 if i and not k else 1, deep)); ci = (64 << i) * (4 if deep else 1)
            setattr(s, "layer%d" % (i + 1), nn.Sequential(*blocks))
        s.fc = nn.Linear(ci, 10)
    def forward(s, x):
        x = F.relu(s.bn1(s.conv1(x)))
        if not s.small: x = F.max_pool2d(x, 3, 2, 1)
        for i in range(1, 5): x = getattr(s, "layer%d" % i)(x)
        return s.fc(x.mean((2, 3)))
class Attention(nn.Module):
    def __init__(s, n, heads):
        super().__init__()
        s.c_attn, s.c_proj, s.heads = nn.Linear(n, 3 * n), nn.Linear(n, n), heads
    def forward(s, x):
        B, T, C = x.size()
        q, k, v = [t.view(B, T, s.heads, C // s.heads).transpose(1, 2) for t in s.c_attn(x).split(C, 2)]
        a = (q @ k.transpose(-2, -1)) * (C // s.heads) ** -0.5
        a = F.softmax(a.masked_fill(torch.tril(torch.ones(T, T)) == 0, float("-inf")), -1)
        return s.c_proj((a @ v).transpose(1, 2).reshape(B, T, C))
class Mlp(nn.Module):
    def __init__(s, n):
        super().__init__()
        s.c_fc, s.c_proj = nn.Linear(n, 4 * n), nn.Linear(4 * n, n)
    def forward(s, x): return s.c_proj(F.gelu(s.c_fc(x)))
class GptBlock(nn.Module):
    def __init__(s, n, heads):
        super().__init__()
        s.ln_1, s.attn, s.ln_2, s.mlp = nn.LayerNorm(n), Attention(n, heads), nn.LayerNorm(n), Mlp(n)
    def forward(s, x):
        x = x + s.attn(s.ln_1(x))
        return x + s.mlp(s.ln_2(x))
class Gpt(nn.Module):
    def __init__(s, layers=4, heads=4, n=128, context=256, words=256):
        super().__init__()
        s.transformer = nn.ModuleDict(dict(wte=nn.Embedding(words, n), wpe=nn.Embedding(context, n),
            h=nn.ModuleList([GptBlock(n, heads) for _ in range(layers)]), ln_f=nn.LayerNorm(n)))
        s.lm_head = nn.Linear(n, words, bias=False)
        s.transformer.wte.weight = s.lm_head.weight
    def forward(s, t):
        x = s.transformer.wte(t) + s.transformer.wpe(torch.arange(t.size(1)))
        for b in s.transformer.h: x = b(x)
        return s.lm_head(s.transformer.ln_f(x)).view(-1, 256)
)";

struct Network {
  std::string python;
  ModelSpec spec;
};

SampleShape images(int side, int channels = 3) {
  return {SampleShape::Kind::Image, channels, side, side, 0, 10};
}

std::vector<Network> networks() {
  return {{"Cifar()", {"cifar", images(32), {}}},
          {"Mnist()", {"mnist", images(28, 1), {}}},
          {"ResNet([2, 2, 2, 2], False, 32)", {"resnet18", images(32), {}}},
          {"ResNet([2, 2, 2, 2], False, 64)", {"resnet18", images(64), {}}},
          {"ResNet([3, 4, 6, 3], True, 64)", {"resnet50", images(64), {}}},
          {"Gpt()", {"gpt-tiny", {SampleShape::Kind::Tokens, 0, 0, 0, 16, 256}, {}}}};
}

at::Tensor inputFor(const SampleShape& s) {
  if (!s.isImage()) return at::arange(2 * s.length, at::kLong).remainder(61).view({2, s.length});
  return at::linspace(-1, 1, 2 * s.channels * s.height * s.width).view({2, s.channels, s.height, s.width});
}

// The same input in Python.
std::string inputInPython(const SampleShape& s) {
  if (!s.isImage())
    return "(torch.arange(" + std::to_string(2 * s.length) + ") % 61).view(2, " + std::to_string(s.length) +
           ")";
  const std::string c = std::to_string(s.channels), h = std::to_string(s.height), w = std::to_string(s.width);
  return "torch.linspace(-1, 1, 2*" + c + "*" + h + "*" + w + ").view(2, " + c + ", " + h + ", " + w + ")";
}

class PythonModels : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto torch = python("import torch");
    if (!torch || !torch->exit.ok())
      GTEST_SKIP() << kPython << " has no torch: apt-get install python3-torch";
  }
  static Result<CapturedExit> python(const std::string& text) {
    return runCaptured({kPython, "-c", text}, std::chrono::minutes(2), {});
  }
  void expectRuns(const std::string& text) const {
    const auto ran = python(std::string(kNetworks) + "dir = '" + dir_.path().string() + "/'\n" + text);
    ASSERT_TRUE(ran) << describe(ran.error());
    ASSERT_TRUE(ran->exit.ok()) << ran->errors << ran->output;
  }
  [[nodiscard]] std::filesystem::path file(std::size_t number, const std::string& name) const {
    return dir_.path() / (std::to_string(number) + name);
  }
  TempDir dir_;
};

std::shared_ptr<Model> made(const ModelSpec& spec) {
  auto model = makeModel(spec);
  if (!model) throw std::runtime_error(describe(model.error()));
  (*model)->eval();
  return *model;
}

void write(const std::filesystem::path& path, const std::string& bytes) {
  ASSERT_TRUE(writeFileAtomically(path, bytes));
}

TEST_F(PythonModels, OpenOurWeightsAndOurTorchScript) {
  at::manual_seed(5);
  const at::NoGradGuard noGrad;
  std::string script;
  const auto all = networks();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto model = made(all[i].spec);
    for (at::Tensor& parameter : model->parameters()) {
      if (parameter.dim() == 4) parameter.set_data(parameter.contiguous(at::MemoryFormat::ChannelsLast));
    }
    write(file(i, ".pt"), stateDictBytes(*model));
    const auto archive = torchScriptBytes(*model, all[i].spec);
    ASSERT_TRUE(archive) << all[i].python << describe(archive.error());
    write(file(i, ".ts"), *archive);
    const auto scores = torch::pickle_save(model->scores(inputFor(all[i].spec.shape)).contiguous());
    write(file(i, ".scores"), {scores.begin(), scores.end()});
    const std::string base = "dir + '" + std::to_string(i);
    script += "m = " + all[i].python + ".eval(); x = " + inputInPython(all[i].spec.shape) +
              "\nm.load_state_dict(torch.load(" + base + ".pt'), strict=True)\n" + "y = torch.load(" + base +
              ".scores')\nwith torch.no_grad():\n  d = (m(x) - y).abs().max().item(); assert d < 2e-3, ('" +
              all[i].python + "', d)\n  d = (torch.jit.load(" + base +
              ".ts')(x) - y).abs().max().item(); assert d < 2e-3, ('script', '" + all[i].python + "', d)\n";
  }
  // A batch of another size than the one that it was traced with.
  script += "assert torch.jit.load(dir + '0.ts')(torch.zeros(5, 3, 32, 32)).shape == (5, 10)\n";
  expectRuns(script);
}

TEST_F(PythonModels, GiveUsTheirWeights) {
  std::string script;
  const auto all = networks();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string base = "dir + '" + std::to_string(i);
    script += "m = " + all[i].python +
              ".eval()\nfor n, b in m.named_buffers():\n"
              "  if b.dtype == torch.float32: b.uniform_(0.5, 1.5)\n"
              "torch.save(m.state_dict(), " +
              base + ".pt')\n" + "with torch.no_grad(): torch.save(m(" + inputInPython(all[i].spec.shape) +
              "), " + base + ".scores')\n";
  }
  expectRuns(script);
  const at::NoGradGuard noGrad;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto model = made(all[i].spec);
    const auto loaded = loadStateDict(*model, *readFile(file(i, ".pt")));
    ASSERT_TRUE(loaded) << all[i].python << describe(loaded.error());
    const std::string bytes = *readFile(file(i, ".scores"));
    const at::Tensor theirs = torch::pickle_load({bytes.begin(), bytes.end()}).toTensor();
    const double difference =
        (model->scores(inputFor(all[i].spec.shape)) - theirs).abs().max().item<double>();
    EXPECT_LT(difference, 2e-3 * std::max(1.0, theirs.abs().max().item<double>())) << all[i].python;
  }
}

// A file with the wrapper's names, inside a dict, as scripts for DistributedDataParallel save it.
TEST_F(PythonModels, GiveUsACheckpointOfAScript) {
  expectRuns(
      "m = nn.Module(); m.module = Cifar()\n"
      "torch.save({'epoch': 3, 'model': dict(m.state_dict())}, dir + 'checkpoint.pt')\n");
  const auto model = made({"cifar", images(32), {}});
  const auto loaded = loadStateDict(*model, *readFile(dir_.path() / "checkpoint.pt"));
  EXPECT_TRUE(loaded) << describe(loaded.error());
}

TEST(Models, SayWhatDoesNotFit) {
  const auto cifar = made({"cifar", images(32), {}});
  const auto other = loadStateDict(*cifar, stateDictBytes(*made({"mnist", images(28, 1), {}})));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::InvalidArgument);
  EXPECT_NE(other.error().cause.find("missing: conv3.bias"), std::string::npos) << other.error().cause;
  EXPECT_NE(other.error().cause.find("conv1.weight is 32 x 1 x 3 x 3 and not 32 x 3 x 3 x 3"),
            std::string::npos)
      << other.error().cause;
  const auto garbage = loadStateDict(*cifar, "no zip file");
  ASSERT_FALSE(garbage);
  EXPECT_EQ(garbage.error().code, ErrorCode::DataLoss);
}

TEST(Models, RefuseWhatTheyCannotLearn) {
  const SampleShape text{SampleShape::Kind::Tokens, 0, 0, 0, 300, 256};
  for (const ModelSpec& spec : {ModelSpec{"cifar", images(28, 1), {}}, ModelSpec{"mnist", images(32), {}},
                                ModelSpec{"resnet18", text, {}}, ModelSpec{"gpt2", images(32), {}},
                                ModelSpec{"gpt-tiny", text, {}}, ModelSpec{"resnet18", images(4), {}}}) {
    const auto model = makeModel(spec);
    ASSERT_FALSE(model) << spec.name;
    EXPECT_EQ(model.error().code, ErrorCode::InvalidArgument);
  }
  EXPECT_TRUE(checkModel({"gpt2", text, {}}));
}

TEST(Models, HaveTheUsualNumberOfParameters) {
  const auto count = [](const std::string& name, const SampleShape& shape) {
    std::int64_t all = 0;
    for (const at::Tensor& parameter : made({name, shape, {}})->parameters()) all += parameter.numel();
    return all;
  };
  SampleShape thousand = images(224);
  thousand.classes = 1000;
  EXPECT_EQ(count("cifar", images(32)), 657'342);
  EXPECT_EQ(count("resnet18", thousand), 11'689'512);
  EXPECT_EQ(count("resnet50", thousand), 25'557'032);
  EXPECT_EQ(count("gpt2", {SampleShape::Kind::Tokens, 0, 0, 0, 64, 50'257}), 124'439'808);
}

// Against sums in double, in each way that LibTorch asks for.
TEST(Models, ProductsOfMatricesAreRight) {
  const at::NoGradGuard noGrad;
  for (const auto& [rows, inner, columns] :
       {std::array{1, 1, 1}, {16, 4608, 120}, {120, 16, 4608}, {3, 129, 67}, {250, 5, 31}}) {
    const at::Tensor a = at::rand({rows, inner}) - 0.5;
    const at::Tensor b = at::rand({inner, columns}) - 0.5;
    const at::Tensor start = at::rand({rows, columns});
    const at::Tensor right = at::matmul(a.to(at::kDouble), b.to(at::kDouble));
    const at::Tensor aTurned = a.t().contiguous().t();
    const at::Tensor bTurned = b.t().contiguous().t();
    for (const at::Tensor& left : {a, aTurned}) {
      for (const at::Tensor& other : {b, bTurned}) {
        EXPECT_LT((at::mm(left, other) - right).abs().max().item<double>(), 1e-3) << rows << ' ' << columns;
        const at::Tensor sum = at::addmm(start, left, other, 0.5, 2.0);
        EXPECT_LT((sum - (start * 0.5 + right * 2)).abs().max().item<double>(), 2e-3) << rows;
      }
    }
  }
}

TEST(Models, PoolingWithReluIsThatOfLibTorchToTheBit) {
  for (const auto& [channels, height, width] :
       {std::array{64, 28, 28}, {3, 5, 7}, {33, 2, 3}, {16, 12, 12}}) {
    at::Tensor images = at::randn({4, channels, height, width}).round();  // many are equal, many are 0
    images[0][0][0][0] = std::numeric_limits<float>::quiet_NaN();
    for (const auto format : {at::MemoryFormat::Contiguous, at::MemoryFormat::ChannelsLast}) {
      for (const auto type : {at::kFloat, at::kBFloat16}) {
        const at::Tensor ours = images.to(type).clone(format).requires_grad_();
        const at::Tensor theirs = images.to(type).clone(format).requires_grad_();
        const at::Tensor output = pooledRelu(ours);
        const at::Tensor right = at::relu(at::max_pool2d(theirs, {2, 2}));
        ASSERT_TRUE(at::equal(at::nan_to_num(output, -1), at::nan_to_num(right, -1))) << channels;
        const at::Tensor gradient = at::randn_like(right);
        output.backward(gradient);
        right.backward(gradient);
        EXPECT_TRUE(at::equal(ours.grad(), theirs.grad())) << channels << 'x' << height << 'x' << width;
      }
    }
  }
}

// A file that is cut off or changed anywhere is refused, or read as other numbers: it never leads astray.
TEST(Models, ADamagedFileIsRefused) {
  const auto cifar = made({"cifar", images(32), {}});
  const std::string whole = stateDictBytes(*cifar);
  const std::size_t program = whole.find("conv1.bias");
  ASSERT_NE(program, std::string::npos);
  for (std::size_t at = program - 40; at < program + 400; ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x15);
    (void)loadStateDict(*cifar, damaged);
  }
  for (const std::size_t length : {std::size_t{0}, std::size_t{100}, whole.size() / 2, whole.size() - 10})
    EXPECT_EQ(loadStateDict(*cifar, whole.substr(0, length)).error().code, ErrorCode::DataLoss) << length;
}

}  // namespace
}  // namespace lockstep::trainer
