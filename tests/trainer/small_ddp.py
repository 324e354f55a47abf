# SPDX-License-Identifier: GPL-3.0-or-later
"""A small training with Python's DistributedDataParallel, as users bring theirs: torchrun's contract, Gloo."""
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def main():
    dist.init_process_group("gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(1)
    model = DistributedDataParallel(torch.nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    generator = torch.Generator().manual_seed(100 + rank)
    weights = torch.arange(8.0)
    for _ in range(200):
        samples = torch.randn(16, 8, generator=generator)
        loss = ((model(samples).squeeze(1) - samples @ weights) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    total = torch.cat([p.detach().flatten() for p in model.parameters()]).sum()
    print(f"rank {rank} of {world}: loss {loss.item():.6f}, parameters sum to {total.item():.6f}", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
