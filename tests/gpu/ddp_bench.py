# SPDX-License-Identifier: GPL-3.0-or-later
"""One rank of a training with PyTorch's eager DistributedDataParallel, to be measured beside lockstep-trainer --bench: the
same networks (torchvision's ResNet-50, nanoGPT's GPT-2), the same drawn batch, precision and optimizer. torchrun starts it.
It prints the lines of --bench: RESULT with samples_per_s and so on."""
import argparse
import math
import os
import resource
import statistics
import sys
import time

import numpy
import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel

GPT_SIZES = {"gpt-tiny": (4, 4, 128, 256), "gpt2": (12, 12, 768, 1024), "gpt2-medium": (24, 16, 1024, 1024)}


class Bottleneck(nn.Module):
    def __init__(self, channels, width, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, width, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, stride, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.conv3 = nn.Conv2d(width, 4 * width, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(4 * width)
        self.downsample = None
        if stride != 1 or channels != 4 * width:
            self.downsample = nn.Sequential(
                nn.Conv2d(channels, 4 * width, 1, stride, bias=False), nn.BatchNorm2d(4 * width))

    def forward(self, x):
        y = F.relu(self.bn1(self.conv1(x)), inplace=True)
        y = F.relu(self.bn2(self.conv2(y)), inplace=True)
        y = self.bn3(self.conv3(y))
        y += x if self.downsample is None else self.downsample(x)
        return F.relu(y, inplace=True)


class ResNet50(nn.Module):
    def __init__(self, side, classes):
        super().__init__()
        self.small = side < 64  # as lockstep-trainer has it: no stride and no pooling before the first stage
        self.conv1 = nn.Conv2d(3, 64, 3 if self.small else 7, 1 if self.small else 2, 1 if self.small else 3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        blocks, channels = [], 64
        for stage, count in enumerate((3, 4, 6, 3)):
            for i in range(count):
                blocks.append(Bottleneck(channels, 64 << stage, 2 if stage and i == 0 else 1))
                channels = 4 * (64 << stage)
        self.blocks = nn.Sequential(*blocks)
        self.fc = nn.Linear(channels, classes)
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")

    def forward(self, x):
        x = F.relu(self.bn1(self.conv1(x)), inplace=True)
        if not self.small:
            x = F.max_pool2d(x, 3, 2, 1)
        return self.fc(self.blocks(x).mean((2, 3)))


def attend(query, key, value):
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(query, key, value, is_causal=True)
    length = query.size(2)
    future = torch.ones(length, length, dtype=torch.bool, device=query.device).triu(1)
    scores = query @ key.transpose(2, 3) / math.sqrt(query.size(3))
    return torch.softmax(scores.masked_fill(future, -math.inf), -1) @ value


class Block(nn.Module):
    def __init__(self, heads, width):
        super().__init__()
        self.heads = heads
        self.ln_1, self.ln_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.c_attn, self.attended = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        n, length, width = x.shape
        parts = [part.view(n, length, self.heads, width // self.heads).transpose(1, 2)
                 for part in self.c_attn(self.ln_1(x)).split(width, 2)]
        x = x + self.attended(attend(*parts).transpose(1, 2).reshape(n, length, width))
        return x + self.narrow(F.gelu(self.wide(self.ln_2(x))))


class Gpt(nn.Module):
    def __init__(self, size, vocabulary):
        super().__init__()
        layers, heads, width, context = size
        self.wte, self.wpe = nn.Embedding(vocabulary, width), nn.Embedding(context, width)
        self.blocks = nn.Sequential(*[Block(heads, width) for _ in range(layers)])
        self.ln_f = nn.LayerNorm(width)
        end = 0.02 / math.sqrt(2 * layers)
        for name, parameter in self.named_parameters():
            if parameter.dim() == 2:
                nn.init.normal_(parameter, std=end if name.endswith(("attended.weight", "narrow.weight")) else 0.02)
            elif name.endswith(".bias"):
                nn.init.zeros_(parameter)

    def forward(self, tokens):
        x = self.wte(tokens) + self.wpe(torch.arange(tokens.size(1), device=tokens.device))
        return F.linear(self.ln_f(self.blocks(x)).view(-1, x.size(2)), self.wte.weight)


def drawn_batch(options, rank):
    """What lockstep-trainer --bench draws: std::mt19937 of rank + 1, images channel-last."""
    random = numpy.random.MT19937()
    random._legacy_seeding(rank + 1)
    if options.model == "resnet50":
        side, n = options.image_size, options.batch
        pixels = (random.random_raw(n * side * side * 3) % 256).astype(numpy.float32) / numpy.float32(127.5) - 1
        images = torch.from_numpy(pixels.reshape(n, side, side, 3)).permute(0, 3, 1, 2)
        return images, torch.from_numpy((random.random_raw(n) % options.classes).astype(numpy.int64))
    count = options.batch * options.length
    tokens = (random.random_raw(count) % options.classes).astype(numpy.int64)
    targets = (random.random_raw(count) % options.classes).astype(numpy.int64)
    return torch.from_numpy(tokens).view(options.batch, options.length), torch.from_numpy(targets)


class Training:
    """A step as scripts have it: the batch from pinned memory, autocast, backward that sums, and the optimizer."""

    def __init__(self, options, rank, world, device):
        self.device = device
        torch.manual_seed(1)
        if options.model == "resnet50":
            model = ResNet50(options.image_size, options.classes).to(device, memory_format=torch.channels_last)
        else:
            model = Gpt(GPT_SIZES[options.model], options.classes).to(device)
        self.parameters = sum(p.numel() for p in model.parameters())
        if options.optimizer == "adamw":
            self.optimizer = torch.optim.AdamW(model.parameters(), lr=options.learning_rate)
        else:
            self.optimizer = torch.optim.SGD(model.parameters(), lr=options.learning_rate, momentum=0.9)
        ids = [device.index] if device.type == "cuda" else None
        self.model = DistributedDataParallel(model, device_ids=ids) if world > 1 or dist.is_initialized() else model
        self.batch = drawn_batch(options, rank)
        if device.type == "cuda":
            self.batch = [tensor.pin_memory() for tensor in self.batch]
        self.autocast = options.precision == "bf16"

    def step(self):
        data, targets = [tensor.to(self.device, non_blocking=True) for tensor in self.batch]
        self.optimizer.zero_grad()
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.autocast):
            scores = self.model(data)
        loss = F.cross_entropy(scores.float(), targets)
        loss.backward()
        self.optimizer.step()
        return loss

    def wait(self):
        if self.device.type == "cuda":
            torch.cuda.synchronize()


def measured(training, options):
    times, first = [], 0
    for i in range(options.warm_up + options.steps):
        if i == options.warm_up:
            training.wait()
            if dist.is_initialized():
                dist.barrier()
            training.wait()
            start = last = time.perf_counter()
        loss = training.step()
        if i == 0:
            training.wait()
            first = time.time_ns()
        if i >= options.warm_up:
            times.append(time.perf_counter() - last)
            last = time.perf_counter()
    training.wait()
    return time.perf_counter() - start, times, first, loss.item()


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", choices=["resnet50", *GPT_SIZES], required=True)
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--warm-up", type=int, default=10)
    parser.add_argument("--image-size", type=int, default=224)
    parser.add_argument("--length", type=int, default=1024)
    parser.add_argument("--classes", type=int, required=True)
    parser.add_argument("--precision", choices=["fp32", "bf16"], default="bf16")
    parser.add_argument("--optimizer", choices=["sgd", "adamw"], default="sgd")
    parser.add_argument("--learning-rate", type=float, default=0.001)
    parser.add_argument("--device", choices=["cpu", "cuda"], required=True)
    return parser.parse_args()


def main():
    options = arguments()
    rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    device = torch.device("cpu")
    if options.device == "cuda":
        device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device)
        torch.backends.cudnn.benchmark = True
    dist.init_process_group("nccl" if options.device == "cuda" else "gloo")
    training = Training(options, rank, world, device)
    elapsed, times, first, loss = measured(training, options)
    samples = options.batch * options.steps * world
    tokens = "" if options.model == "resnet50" else f" tokens_per_s={samples * options.length / elapsed:.1f}"
    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"RESULT rank={rank} world={world} variant=python-ddp samples_per_s={samples / elapsed:.1f}{tokens} "
          f"step_ms_median={statistics.median(times) * 1e3:.3f} elapsed={elapsed:.3f} hwm_mb={resident:.1f} "
          f"first_step_wall_ns={first} parameters={training.parameters} loss={loss:.4f}", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    sys.exit(main())
