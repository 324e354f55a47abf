#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A small training with DistributedDataParallel in which one thing goes wrong after a while: python3 ddp_case.py FAULT RANK.

A step takes 0.1 s, of which the parts are slept, so that many ranks have room on few cores. FAULT is one of FAULTS, or
"none". When it begins, the time is written to the file named by FAULT_BEGAN."""
import datetime
import os
import signal
import sys
import time

import lockstep
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

PARTS = {"data": 0.015, "forward": 0.03, "backward": 0.04, "optimizer": 0.015}
DELAY = 0.02  # a fifth of a step
FAULTS = (*PARTS, "starved", "freeze", "kill", "nan", "leak", "skewed")
WARM_UP = float(os.environ.get("FAULT_AFTER", "20"))  # seconds of training without it

fault, culprit = sys.argv[1], int(sys.argv[2])
seconds = float(os.environ.get("TRAIN_SECONDS", "120"))


def spend(part):
    time.sleep(PARTS[part] * factor(part) + (DELAY if is_wrong(part) else 0))


def has_begun():
    return fault != "none" and time.monotonic() > begin


def is_wrong(kind):
    return has_begun() and fault == kind and rank == culprit


def factor(part):
    if has_begun() and fault == "starved" and part == "data":
        return 20  # of every rank
    return 1.4 if is_wrong("skewed") and part in ("forward", "backward") else 1


class Layer(torch.nn.Linear):
    """Its time passes in the forward and in the backward pass."""

    class Pass(torch.autograd.Function):
        @staticmethod
        def forward(_context, x):
            spend("forward")
            return x.clone()

        @staticmethod
        def backward(_context, gradient):
            spend("backward")
            return gradient

    def forward(self, x):
        return Layer.Pass.apply(super().forward(x))


class Optimizer(torch.optim.SGD):
    def step(self, closure=None):
        spend("optimizer")
        return super().step(closure)


def go_wrong():
    if is_wrong("freeze"):
        os.kill(os.getpid(), signal.SIGSTOP)
    if is_wrong("kill"):
        os.kill(os.getpid(), signal.SIGKILL)
    if is_wrong("leak"):
        leaked.append(bytearray(8 << 20))
        leaked[-1][::4096] = b"x" * len(leaked[-1][::4096])


torch.manual_seed(0)
torch.set_num_threads(1)
dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=600))
rank = dist.get_rank()
model = DistributedDataParallel(torch.nn.Sequential(torch.nn.Linear(16, 16), Layer(16, 1)))
optimizer = Optimizer(model.parameters(), lr=0.01)
lockstep.watch(model, optimizer)
began, leaked = False, []
start = time.monotonic()
begin, end = start + WARM_UP, start + seconds
step, is_going_on = 0, torch.ones(1)
while is_going_on.item() > 0:
    with lockstep.phase("data"):
        spend("data")
        inputs = torch.randn(8, 16)
        samples = 12 if is_wrong("skewed") else 8
    if has_begun() and not began and rank == culprit:
        began = True
        with open(os.environ["FAULT_BEGAN"], "w", encoding="ascii") as file:
            file.write(str(time.time()))
    go_wrong()
    optimizer.zero_grad()
    loss = (model(inputs) - inputs.sum(1, keepdim=True)).pow(2).mean()
    loss.backward()
    optimizer.step()
    lockstep.log(step, loss=float("nan") if is_wrong("nan") else loss.detach(), samples=samples)
    step += 1
    if step % 10 == 0:  # all end in the same step
        is_going_on[0] = 1.0 if time.monotonic() < end else 0.0
        dist.broadcast(is_going_on, 0)
