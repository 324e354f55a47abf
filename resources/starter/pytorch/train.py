"""Trains a small network on CIFAR-10 with DistributedDataParallel: one process per GPU, or per node without GPUs.

MASTER_ADDR, MASTER_PORT, WORLD_SIZE, RANK and LOCAL_RANK come from lockstep-node, from ads' own node runner or from
torchrun. Without them it trains alone. Tries it out in seconds, without data and without a GPU:

    python3 train.py --made-up 512 --epochs 1

In a rehearsal of Lockstep it makes a few pictures up unless CIFAR-10 is there already: nothing is downloaded.
"""

import argparse
import hashlib
import os
import pathlib
import pickle
import tarfile
import time
import urllib.request

import lockstep  # records metrics where a node agent of Lockstep collects them; does nothing elsewhere
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

CIFAR_URL = "https://www.cs.toronto.edu/~kriz/cifar-10-python.tar.gz"
CIFAR_MD5 = "c58f30108f718f92721af3b95e74349a"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data-dir", default="data", help="where CIFAR-10 is, or is downloaded to")
    parser.add_argument("--made-up", type=int, metavar="N", help="train on N made-up pictures instead")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch-size", type=int, default=128, help="pictures per process and step")
    parser.add_argument("--learning-rate", type=float, default=0.05)
    parser.add_argument("--output-dir", default=os.environ.get("OCI__SYNC_DIR", "/opt/ml"))
    return parser.parse_args()


def made_up(count):
    """Noise with the label's own color on top: a network that learns at all learns this."""
    generator = torch.Generator().manual_seed(1)
    colors = torch.rand(10, 3, generator=generator)  # first: the same colors for every count
    labels = torch.randint(10, (count,), generator=generator)
    pictures = torch.rand(count, 3, 32, 32, generator=generator) * 0.5 + colors[labels][:, :, None, None] * 0.5
    return TensorDataset(pictures, labels)


def download(folder):
    """One process of each node downloads; the others find the finished archive."""
    archive = folder / "cifar-10-python.tar.gz"
    if not archive.exists():
        folder.mkdir(parents=True, exist_ok=True)
        part = archive.with_suffix(f".{os.getpid()}")
        urllib.request.urlretrieve(CIFAR_URL, part)
        if hashlib.md5(part.read_bytes()).hexdigest() != CIFAR_MD5:
            raise SystemExit(f"'{part}' is not the archive that it should be: delete it and try again")
        part.replace(archive)
    return archive


def cifar10(archive, train):
    """(pictures, labels) of one half of the archive."""
    wanted = "data_batch_" if train else "test_batch"
    pictures, labels = [], []
    with tarfile.open(archive) as tar:
        for member in sorted(tar.getmembers(), key=lambda m: m.name):
            if pathlib.Path(member.name).name.startswith(wanted):
                batch = pickle.load(tar.extractfile(member), encoding="bytes")
                pictures.append(torch.from_numpy(batch[b"data"]).view(-1, 3, 32, 32))
                labels += batch[b"labels"]
    return TensorDataset(torch.cat(pictures).float() / 255, torch.tensor(labels))


class SmallNet(nn.Module):
    """Three convolutions and a head: about 0.6 million weights."""

    def __init__(self):
        super().__init__()
        layers, inside = [], 3
        for outside in (32, 64, 128):
            layers += [nn.Conv2d(inside, outside, 3, padding=1), nn.BatchNorm2d(outside), nn.ReLU(), nn.MaxPool2d(2)]
            inside = outside
        self.layers = nn.Sequential(*layers, nn.Flatten(), nn.Linear(128 * 16, 256), nn.ReLU(), nn.Linear(256, 10))

    def forward(self, pictures):
        return self.layers(pictures)


def average(values, device):
    """Sums over all processes, so that the mean is that of all pictures and not of rank 0's."""
    total = torch.tensor(values, dtype=torch.float64 if device.type == "cpu" else torch.float32, device=device)
    dist.all_reduce(total)
    return [(value / total[-1]).item() for value in total[:-1]]


def train_epoch(model, loader, optimizer, loss_of, device):
    model.train()
    loss_sum = seen = 0
    for pictures, labels in loader:
        pictures, labels = pictures.to(device), labels.to(device)
        optimizer.zero_grad(set_to_none=True)
        loss = loss_of(model(pictures), labels)
        loss.backward()  # DistributedDataParallel averages the gradients of all processes in here
        optimizer.step()
        lockstep.log(loss=loss)
        loss_sum += loss.item() * len(labels)
        seen += len(labels)
    return average([loss_sum, seen], device)[0]


@torch.no_grad()
def accuracy(model, loader, device):
    model.eval()
    right = seen = 0
    for pictures, labels in loader:
        right += (model(pictures.to(device)).argmax(1).cpu() == labels).sum().item()
        seen += len(labels)
    return average([right, seen], device)[0]


def load_data(options, local_rank):
    folder = pathlib.Path(options.data_dir)
    archive = folder / "cifar-10-python.tar.gz"
    count = options.made_up
    if not count and "LOCKSTEP_REHEARSAL" in os.environ and not archive.exists():
        count = 192
    if count:
        return made_up(count), made_up(max(count // 4, 1))
    if local_rank == 0:
        download(folder)
    dist.barrier()
    return cifar10(archive, True), cifar10(archive, False)


def main():
    options = parse_arguments()
    for name, alone in (("RANK", "0"), ("WORLD_SIZE", "1"), ("MASTER_ADDR", "127.0.0.1"), ("MASTER_PORT", "29400")):
        os.environ.setdefault(name, alone)
    on_gpu = torch.cuda.is_available()
    local_rank = int(os.environ.get("LOCAL_RANK", "0"))
    device = torch.device("cuda", local_rank) if on_gpu else torch.device("cpu")
    if on_gpu:
        torch.cuda.set_device(device)
    dist.init_process_group("nccl" if on_gpu else "gloo")
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(rank)  # DistributedDataParallel hands rank 0's weights to all

    train, test = load_data(options, local_rank)
    sampler = DistributedSampler(train, seed=7)
    loader = DataLoader(train, options.batch_size, sampler=sampler, pin_memory=on_gpu)
    # Padding would count some pictures twice; each process takes every world-th one instead.
    own_tests = torch.utils.data.Subset(test, range(rank, len(test), world))
    test_loader = DataLoader(own_tests, options.batch_size)

    model = DistributedDataParallel(SmallNet().to(device), device_ids=[local_rank] if on_gpu else None)
    optimizer = torch.optim.SGD(model.parameters(), options.learning_rate, momentum=0.9, weight_decay=5e-4)
    lockstep.watch(model, optimizer)  # times of each step, learning rate and gradient norm
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, options.epochs)
    for epoch in range(options.epochs):
        sampler.set_epoch(epoch)  # else every epoch has the same order
        started = time.monotonic()
        loss = train_epoch(model, loader, optimizer, nn.CrossEntropyLoss(), device)
        schedule.step()
        right = accuracy(model, test_loader, device)
        if rank == 0:
            print(f"epoch {epoch + 1}/{options.epochs} loss {loss:.4f} accuracy {right:.4f} "
                  f"{time.monotonic() - started:.1f} s on {world} processes", flush=True)

    if rank == 0:  # the global rank: a local rank 0 exists on every node
        folder = pathlib.Path(options.output_dir)
        folder.mkdir(parents=True, exist_ok=True)
        torch.save(model.module.state_dict(), folder / "model.pt")
        print(f"wrote {folder / 'model.pt'}", flush=True)
    dist.barrier()  # rank 0 is still writing: a peer that left early can leave it waiting for ever in Gloo
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
