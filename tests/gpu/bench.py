# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs lockstep-trainer and ddp_bench.py in turns and writes one table and one JSON file. prove.sh calls it; needs no torch
itself.   bench.py --trainer T --usage U --facts FACTS.json --out DIR --seconds N [--rounds N] [--device cpu]"""
import argparse
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
LONGEST_RUN = 180  # seconds; a run that takes longer has failed
PROGRAMS = ("lockstep", "python-ddp")


class Case:
    """One network with its sizes, as both programs take them."""

    def __init__(self, title, model, batch, steps, warm_up, classes, optimizer, image_size=0, length=0):
        self.title, self.model, self.batch, self.steps, self.warm_up = title, model, batch, steps, warm_up
        self.classes, self.optimizer, self.image_size, self.length = classes, optimizer, image_size, length

    def common(self, device):
        shape = [] if not self.length else ["--length", self.length]
        shape += [] if not self.image_size else ["--image-size", self.image_size]
        rate = "0.0001" if self.optimizer == "adamw" else "0.001"
        return [*shape, "--model", self.model, "--batch", self.batch, "--steps", self.steps, "--warm-up", self.warm_up,
                "--classes", self.classes, "--optimizer", self.optimizer, "--learning-rate", rate, "--device", device]

    def ours(self, device, ranks):
        renamed = {"--length": "--sequence-length", "--image-size": "--bench-image-size", "--batch": "--batch-size",
                   "--steps": "--bench", "--classes": "--bench-classes"}
        words = [renamed.get(word, word) for word in self.common(device)]
        backend = ["--backend", "nccl"] if device == "cuda" and ranks > 1 else []
        return [*words, *backend, "--precision", "bf16", "--no-metrics"]


CASES = {
    "cuda": [Case("ResNet-50, 224 x 224", "resnet50", 128, 60, 15, 1000, "sgd", image_size=224),
             Case("GPT-2 124M, 1024 tokens", "gpt2", 16, 40, 10, 50257, "adamw", length=1024)],
    "cpu": [Case("ResNet-50, 16 x 16", "resnet50", 2, 3, 1, 10, "sgd", image_size=16),
            Case("GPT-tiny, 32 tokens", "gpt-tiny", 2, 3, 1, 256, "adamw", length=32)],
}


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class UsageReader:
    """Readings of the GPUs by the trainer's own NVML reader, whatever computes on them."""

    def __init__(self, program, ranks):
        self.readings = []
        self.process = subprocess.Popen([program, str(ranks)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.thread = threading.Thread(target=self.take)
        self.thread.start()

    def take(self):
        for line in self.process.stdout:
            self.readings.append(json.loads(line))

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        self.thread.join()

    def between(self, begin, end):
        there = [r for r in self.readings if begin <= r["time"] <= end]
        pick = lambda name: [r[name] for r in there if name in r]
        found = {}
        for name, values in ((name, pick(name)) for name in ("percent", "power_watts", "memory_bytes", "sm_clock_mhz")):
            if values:
                found[name] = max(values) if name == "memory_bytes" else statistics.median(values)
        return found


class Runner:
    def __init__(self, options):
        self.options = options
        self.old_torch = options.torch_version.startswith("1.")

    def commands(self, entry, case, ranks, port):
        """(command, more environment) of every process to start."""
        device = self.options.device
        if entry == "lockstep":
            where = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "WORLD_SIZE": str(ranks)}
            command = [self.options.trainer, *map(str, case.ours(device, ranks))]
            return [(command, {**where, "RANK": str(r), "LOCAL_RANK": str(r)}) for r in range(ranks)]
        # torchrun 1.13 breaks under Python 3.11 unless some rank has its output elsewhere: one that does not exist.
        fix = ["-r", "9:1", "-t", "9:1"] if self.old_torch else []
        launch = [self.options.python, "-m", "torch.distributed.run", *fix, "--nproc_per_node", str(ranks),
                  "--master_addr", "127.0.0.1", "--master_port", str(port)]
        script = [os.path.join(HERE, "ddp_bench.py"), *map(str, case.common(device)), "--precision", "bf16"]
        return [([*launch, *script], {})]

    def run(self, entry, case, ranks, seconds):
        """One run of at most so many seconds. A dict of numbers, or the text that tells why there are none."""
        # Tiny sizes are not worth sharing among threads, which wait for each other on a machine that has other work.
        threads = max(1, (os.cpu_count() or 1) // ranks) if self.options.device == "cuda" else 1
        environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
        usage = UsageReader(self.options.usage, ranks)
        begin = time.time()
        processes = [subprocess.Popen(command, env={**environment, **more}, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True)
                     for command, more in self.commands(entry, case, ranks, free_port())]
        watch = threading.Timer(seconds, lambda: [p.kill() for p in processes])
        watch.start()
        # Rank 0's result is the first process's; the others say little and fit into a pipe.
        outputs, told = [], None
        for line in processes[0].stdout:
            outputs.append(line)
            told = told or (time.time() if line.startswith("RESULT rank=0 ") else None)
        outputs += [process.communicate()[0] for process in processes]
        watch.cancel()
        end = time.time()
        usage.end()
        result = re.search(r"^RESULT rank=0 .*$", "".join(outputs), re.M)
        if any(process.returncode for process in processes) or not result:
            return "".join(outputs)[-4000:] or f"nothing within {seconds:.0f} s"
        numbers = {key: value for key, value in re.findall(r"(\w+)=([0-9.]+)(?:\s|$)", result[0])}
        run = {key: float(numbers[key]) for key in ("samples_per_s", "step_ms_median", "hwm_mb", "parameters", "elapsed")}
        run["tokens_per_s"] = float(numbers.get("tokens_per_s", 0))
        run["start_s"] = int(numbers["first_step_wall_ns"]) / 1e9 - begin
        run["seconds"] = end - begin
        run["gpu"] = usage.between(told - run["elapsed"], told)
        return run


def spread(values):
    return {"n": len(values), "median": statistics.median(values), "least": min(values), "most": max(values)}


def summary(runs):
    found = {name: spread([run[name] for run in runs])
             for name in ("samples_per_s", "tokens_per_s", "step_ms_median", "hwm_mb", "start_s")}
    for name in ("percent", "power_watts", "memory_bytes", "sm_clock_mhz"):
        values = [run["gpu"][name] for run in runs if name in run["gpu"]]
        if values:
            found["gpu_" + name] = spread(values)
    found["parameters"] = int(runs[0]["parameters"])
    return found


def row(title, ranks, entry, found, ratio):
    rate = found["samples_per_s"]
    gpu = lambda name, scale, form: form.format(found["gpu_" + name]["median"] / scale) if "gpu_" + name in found else "-"
    return (f"{title:<26} {ranks:>5} {entry:<10} {rate['n']:>2} {rate['median']:>10.1f} "
            f"({rate['least']:.1f}-{rate['most']:.1f})".ljust(80) +
            f" {ratio:>6} {found['step_ms_median']['median']:>9.2f} {found['start_s']['median']:>7.1f} "
            f"{gpu('percent', 1, '{:.0f}'):>6} {gpu('memory_bytes', 1e9, '{:.1f}'):>7} {gpu('power_watts', 1, '{:.0f}'):>6}")


HEADING = (f"{'network':<26} {'ranks':>5} {'program':<10} {'n':>2} {'samples/s, median (least-most)':<33} "
           f"{'ratio':>6} {'step, ms':>9} {'start s':>7} {'GPU %':>6} {'GPU GB':>7} {'watts':>6}")


class Rounds:
    """Every entry of every case once a round, so that a drift of the machine hits all; rounds until the time is up."""

    def __init__(self, options, facts):
        self.options, self.facts, self.runner = options, facts, Runner(options)
        self.runs, self.failures = {}, {}
        self.deadline = time.monotonic() + options.seconds

    def play(self):
        longest = 0.0
        for number in range(self.options.rounds):
            begin = time.monotonic()
            if number and begin + longest * 1.1 > self.deadline:
                print(f"time for {number} of {self.options.rounds} rounds", flush=True)
                break
            for ranks in self.options.ranks:
                for case in CASES[self.options.device]:
                    self.take_turns(case, ranks, number)
            longest = max(longest, time.monotonic() - begin)
            write(self.options.out, self.result())  # who is stopped leaves what was measured

    def take_turns(self, case, ranks, number):
        for entry in PROGRAMS if number % 2 == 0 else reversed(PROGRAMS):
            key = (case.title, ranks, entry)
            if key in self.failures:
                continue
            run = self.runner.run(entry, case, ranks, max(1.0, min(LONGEST_RUN, self.deadline - time.monotonic())))
            if isinstance(run, str):
                self.failures[key] = run
                print(f"error: {entry} did not train {case.title} with {ranks} rank(s); its output ends with:\n{run}",
                      file=sys.stderr, flush=True)
                continue
            print(f"round {number + 1}: {case.title}, {ranks} rank(s), {entry}: {run['samples_per_s']:.1f} samples/s "
                  f"({run['seconds']:.0f} s)", flush=True)
            self.runs.setdefault(key, []).append(run)

    def result(self):
        names = ("network", "ranks", "program")
        return {"facts": self.facts, "device": self.options.device,
                "rows": [{**dict(zip(names, key)), "runs": some, **summary(some)} for key, some in self.runs.items()],
                "failures": [{**dict(zip(names, key)), "output": text} for key, text in self.failures.items()]}


def printed(result):
    rates = {(r["network"], r["ranks"], r["program"]): r["samples_per_s"]["median"] for r in result["rows"]}
    lines = [HEADING]
    for r in result["rows"]:
        peer = rates.get((r["network"], r["ranks"], "python-ddp"))
        ratio = f"{r['samples_per_s']['median'] / peer:.2f}" if peer else "-"
        lines.append(row(r["network"], r["ranks"], r["program"], r, ratio))
    return "\n".join(lines)


def write(folder, result):
    for name, text in (("bench.json", json.dumps(result, indent=1)), ("bench.txt", printed(result) + "\n")):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)


def main():
    parser = argparse.ArgumentParser()
    for name in ("trainer", "usage", "facts", "out", "torch-version"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--device", choices=list(CASES), default="cpu")
    parser.add_argument("--ranks", type=int, nargs="+", default=[1])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=240)
    options = parser.parse_args()
    with open(options.facts, encoding="utf-8") as file:
        facts = json.load(file)
    rounds = Rounds(options, facts)
    rounds.play()
    result = rounds.result()
    print(printed(result))
    sizes = {(row["network"], row["parameters"]) for row in result["rows"]}
    if len(sizes) > len({network for network, _ in sizes}):
        print("error: the two programs train networks of different sizes: the numbers compare nothing", file=sys.stderr)
        return 1
    return 1 if rounds.failures else 0


if __name__ == "__main__":
    sys.exit(main())
