"""Trains a small network on CIFAR-10 with Horovod and PyTorch.

horovodrun starts one process per slot on every node; the node runner (/etc/datascience/node.py) starts horovodrun. It
does so in elastic mode, so the state that must survive a lost node lives in `state`. Tries it out on one machine:

    horovodrun -np 2 python3 train.py --made-up 512 --epochs 1

In a rehearsal of Lockstep it makes a few pictures up unless CIFAR-10 is there already: nothing is downloaded.
"""

import argparse
import os
import pathlib

import horovod.torch as hvd
import lockstep  # records metrics where a node agent of Lockstep collects them; does nothing elsewhere
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torchvision import datasets, transforms


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data-dir", default="/tmp/data", help="where CIFAR-10 is, or is downloaded to")
    parser.add_argument("--made-up", type=int, metavar="N", help="train on N made-up pictures instead")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch-size", type=int, default=128, help="pictures per process and step")
    parser.add_argument("--learning-rate", type=float, default=0.01, help="of one process; grows with their number")
    parser.add_argument("--output-dir", default=os.environ.get("OCI__SYNC_DIR", "/opt/ml"))
    return parser.parse_args()


def load_data(options):
    count = options.made_up
    if not count and "LOCKSTEP_REHEARSAL" in os.environ and not pathlib.Path(options.data_dir).exists():
        count = 192
    if count:
        generator = torch.Generator().manual_seed(1)
        labels = torch.randint(10, (count,), generator=generator)
        colors = torch.rand(10, 3, generator=generator)
        noise = torch.rand(count, 3, 32, 32, generator=generator)
        return TensorDataset(noise * 0.5 + colors[labels][:, :, None, None] * 0.5, labels)
    # Every process of a node would download into the same folder: each has its own.
    folder = pathlib.Path(options.data_dir) / str(hvd.local_rank())
    return datasets.CIFAR10(folder, train=True, download=True, transform=transforms.ToTensor())


def make_model():
    layers, inside = [], 3
    for outside in (32, 64, 128):
        layers += [nn.Conv2d(inside, outside, 3, padding=1), nn.BatchNorm2d(outside), nn.ReLU(), nn.MaxPool2d(2)]
        inside = outside
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(128 * 16, 256), nn.ReLU(), nn.Linear(256, 10))


@hvd.elastic.run
def train(state, options, data, device):
    # From here on after every change of the cluster: the number of processes may be another one now.
    for group in state.optimizer.param_groups:
        group["lr"] = options.learning_rate * hvd.size()
    loader = DataLoader(data, options.batch_size, sampler=state.sampler)
    while state.epoch < options.epochs:
        state.model.train()
        for pictures, labels in loader:
            state.optimizer.zero_grad()
            loss = nn.functional.cross_entropy(state.model(pictures.to(device)), labels.to(device))
            loss.backward()
            state.optimizer.step()
            lockstep.log(loss=loss)
        mean = hvd.allreduce(loss.detach(), name="loss").item()
        if hvd.rank() == 0:
            print(f"epoch {state.epoch + 1}/{options.epochs} loss {mean:.4f} on {hvd.size()} processes", flush=True)
        state.epoch += 1
        state.sampler.set_epoch(state.epoch)
        state.commit()  # what a new or restarted process starts from


def main():
    options = parse_arguments()
    hvd.init()
    on_gpu = torch.cuda.is_available()
    if on_gpu:
        torch.cuda.set_device(hvd.local_rank())
    device = torch.device("cuda" if on_gpu else "cpu")
    data = load_data(options)
    model = make_model().to(device)
    optimizer = torch.optim.SGD(model.parameters(), options.learning_rate * hvd.size(), momentum=0.9)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    sampler = hvd.elastic.ElasticSampler(data)
    state = hvd.elastic.TorchState(model=model, optimizer=optimizer, sampler=sampler, epoch=0)
    train(state, options, data, device)
    if hvd.rank() == 0:
        folder = pathlib.Path(options.output_dir)
        folder.mkdir(parents=True, exist_ok=True)
        torch.save(model.state_dict(), folder / "model.pt")
        print(f"wrote {folder / 'model.pt'}", flush=True)


if __name__ == "__main__":
    main()
