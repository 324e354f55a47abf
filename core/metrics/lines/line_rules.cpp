// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/lines/line_rules.h"

namespace lockstep {
namespace {

// Bars of progress are of many things that are no training.
#define NOT_TRAINING                                                                                   \
  R"((?![^|\d]*\b(?:val|valid\w*|eval\w*|test\w*|predict\w*|sanity|download\w*|map|load\w*|fetch\w*|)" \
  R"(tokeniz\w*|filter|extract\w*|generat\w*|upload\w*|saving|cach\w*)\b))"

constexpr LineRule kRules[] = {
    {"horovod-benchmark", "Horovod's benchmark", "Iter #3: 102.5 img/sec per GPU",
     R"(^iter\s*\#(?<batch>\d+):\s*(?<samples_per_second>[\d.]+)\s*(?:img|image|sample|example)s?/s)"},
    {"megatron", "Megatron-LM",
     "iteration 100/ 1000 | elapsed time per iteration (ms): 300.1 | lm loss: 6.5E+00 |",
     R"(^(?:\[[^\]]*\]\s*)?iteration\s+(?<step>\d+)\s*/\s*(?<steps>\d+)\s*\|(?<pairs>.*)$)"},
    {"brackets", "[epoch, batch]", "[1,  2000] loss: 2.187",
     R"(^\[\s*(?<epoch>\d+)\s*,\s*(?<batch>\d+)\s*\]\s*(?<pairs>\S.*)$)", 3, true},
    {"train-epoch", "PyTorch's MNIST example", "Train Epoch: 1 [640/60000 (1%)]\tLoss: 2.300039",
     R"(^train\s+epoch:?\s*(?<epoch>\d+)\s*\[\s*(?<batch>\d+)\s*/\s*(?<batches>\d+)[^\]]*\]\s*(?<pairs>.*)$)"},
    {"imagenet", "PyTorch's ImageNet example",
     "Epoch: [0][10/5005]\tTime  0.5 ( 0.6)\tLoss 6.9e+00 (7.0e+00)",
     R"(^epoch:?\s*\[(?<epoch>\d+)\]\s*\[\s*(?<batch>\d+)\s*/\s*(?<batches>\d+)\]\s*(?<pairs>.*)$)"},
    {"epoch-step", "Epoch [1/5], Step [100/600]", "Epoch [1/5], Step [100/600], Loss: 0.3512",
     R"(^epoch\s*[:=]?\s*\[?(?<epoch>\d+)(?:/(?<epochs>\d+))?\]?\s*[,:|\-]?\s*(?:step|batch|iter(?:ation)?)\s*[:=]?\s*\[?(?<batch>\d+))"
     R"((?:\s*/\s*(?<batches>\d+))?\]?\s*[,:|\-]?\s*(?<pairs>.*)$)",
     3, true},
    {"tqdm", "tqdm", "Epoch 0:  53%|█████▎    | 500/937 [00:05<00:04, 92.1it/s, loss=0.51]",
     "^" NOT_TRAINING
     R"((?:[^|%]*?\bepoch\s*:?\s*(?<epoch>\d+))?[^|%]*?\d+%\|[^|]*\|\s*(?<batch>\d+)/(?<batches>\d+)\s*\[[^,\]]*)"
     R"((?:,\s*(?:(?<rate>[\d.]+)\s*(?:it|step|batch)(?:es|s)?/s|(?<seconds>[\d.]+)\s*s/(?:it|step|batch)|\?\s*[\w/]+))?)"
     R"((?<pairs>[^\]]*)\])",
     3, true},
    {"rich", "Lightning's bar", "Epoch 0/9 ━━━━━━ 500/937 0:00:05 • 0:00:04 92.10it/s loss: 0.51",
     "^" NOT_TRAINING
     R"(epoch\s+(?<epoch>\d+)(?:/(?<epochs>\d+))?\s+[━╸╺─\s]*(?<batch>\d+)/(?<batches>\d+)\s(?:[^a-z]*?(?<rate>[\d.]+)\s*it/s)?(?<pairs>.*)$)",
     3, true},
    {"keras", "Keras", "469/469 [==============================] - 3s 6ms/step - loss: 0.4 - accuracy: 0.88",
     R"(^(?<batch>\d+)/(?<batches>\d+)\s+(?:\[[=>.\s]*\]|[━╸╺─]+|-)(?<pairs>.*)$)", 3, true},
    {"hugging-face", "Hugging Face Trainer", "{'loss': 0.51, 'learning_rate': 4.5e-05, 'epoch': 0.32}",
     R"(^\{(?<pairs>'[\w/@.]+':\s.*)\}$)", 2},
    {"json", "JSON", R"({"step": 100, "loss": 0.51})",
     R"re(^\{(?=.*"(?:step|global_step|iter|iteration|epoch)"\s*:))re"
     R"re((?=(?:.*?"(?:step|global_step|iter|iteration)"\s*:\s*(?<step>\d+))?)(?<pairs>".*)\}$)re"},
    {"step", "step or iteration", "iter 100: loss 2.1873, time 300.10ms, mfu 31.20%",
     R"(^\W{0,3}(?:global[_ ])?(?:step|iter|iteration)s?\s*[\#:=\s]\s*\[?(?<step>\d+)(?:\s*/\s*(?<steps>\d+))?\]?\s*[:,|\-]?\s*)"
     R"((?<pairs>.*(?:\d|nan|inf).*)$)"},
    {"epoch-of", "Epoch 3/10 alone", "Epoch 3/10", R"(^epoch\s+(?<epoch>\d+)\s*/\s*(?<epochs>\d+)\s*:?$)"},
    {"epoch", "one line an epoch", "Epoch 3/10 - loss: 0.4012 - acc: 0.8801",
     R"(^\W{0,3}epoch\s*[:=\#]?\s*\[?(?<epoch>\d+)(?:\s*/\s*\d+)?\]?\s*[\-:,|]*\s*(?<pairs>.*(?:\d|nan|inf).*)$)",
     2},
};

#undef NOT_TRAINING

}  // namespace

std::span<const LineRule> lineRules() {
  return kRules;
}

}  // namespace lockstep
