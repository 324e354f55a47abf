#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains with one thing going wrong, many times in the rehearsal region, and counts how often `lockstep status` names it, and
within which time: the right kind, rank and phase. Prints a table of the cases.

    tests/attribution/attribute.py --bin build/release/bin [--cases 20] [--at-once 3] [--seed 1] [--kinds data,kill]

Needs PyTorch in the python3 that the nodes find first. Starts and stops a region of its own, in a home of its own."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
RANKS = 3
# Which findings say it: kind, whether it has to name the rank, and the quantity if it matters.
WANTED = {
    "data": ("straggler", True, "data_ms"),
    "forward": ("straggler", True, "forward_ms"),
    "backward": ("straggler", True, "backward_ms"),
    "optimizer": ("straggler", True, "optimizer_ms"),
    "starved": ("starved-loader", False, None),
    "freeze": (("stall", "silent-rank"), True, None),
    "kill": ("first-failure", True, None),
    "nan": ("not-a-number", True, None),
    "leak": ("memory-runs-out", True, None),
    "skewed": (("straggler", "unbalanced-data"), True, None),
    "none": (None, False, None),
}
TRAIN_YAML = """kind: distributed
apiVersion: v1.0
spec:
  infrastructure:
    kind: infrastructure
    type: dataScienceJob
    apiVersion: v1.0
    spec:
      projectId: <OCID of your Data Science project>
      compartmentId: <OCID of your compartment>
      displayName: attribution
      subnetId: <OCID of a private subnet>
      logGroupId: <OCID of your log group>
      logId: <OCID of a custom log in that group>
      shapeName: VM.Standard.E4.Flex
      shapeConfigDetails: {ocpus: 1, memoryInGBs: 16}
      blockStorageSize: 50
  cluster:
    kind: PYTORCH
    apiVersion: v1.0
    spec:
      image: iad.ocir.io/<namespace>/attribution:1
      workDir: oci://<bucket>@<namespace>/attribution
      name: attribution
      config:
        env:
          - {name: FAULT_BEGAN, value: "%(began)s"}
          - {name: FAULT_AFTER, value: "%(after)s"}
          - {name: TRAIN_SECONDS, value: "%(seconds)s"}
      main: {name: main, replicas: 1}
      worker: {name: worker, replicas: %(workers)s}
  runtime:
    kind: python
    apiVersion: v1.0
    spec:
      entryPoint: ddp_case.py
      args: ["%(fault)s", "%(rank)s"]
"""


class Bench:
    def __init__(self, options):
        self.options = options
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="lockstep-attribution-"))
        self.environment = {**os.environ, "HOME": str(self.home), "LOCKSTEP_HOME": str(self.home / "lockstep"),
                            "OMP_NUM_THREADS": "1"}
        self.launching = threading.Lock()  # a first launch starts the region

    def lockstep(self, *arguments):
        command = [str(pathlib.Path(self.options.bin, "lockstep").resolve()), *arguments]
        return subprocess.run(command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=300, check=False)

    def close(self):
        self.lockstep("rehearsal", "stop")
        shutil.rmtree(self.home, ignore_errors=True)

    def launch(self, number, fault, rank):
        project = self.home / ("case-%d" % number)
        project.mkdir()
        shutil.copy(HERE / "ddp_case.py", project)
        began = project / "began"
        (project / "train.yaml").write_text(TRAIN_YAML % {
            "began": began, "after": self.options.after, "seconds": self.options.after + self.options.limit + 15,
            "workers": RANKS - 1, "fault": fault, "rank": rank}, encoding="utf-8")
        with self.launching:
            run = self.lockstep("run", "--on", "rehearsal", "--detach", "--json", str(project / "train.yaml"))
        if run.returncode != 0:
            raise RuntimeError(run.stderr)
        return json.loads(run.stdout.splitlines()[0])["run"]["id"], began

    def findings(self, run):
        status = self.lockstep("status", run, "--json")
        try:
            return [one for one in json.loads(status.stdout).get("findings", []) if one["end"] is None]
        except (ValueError, KeyError):
            return []

    def case(self, number, fault, rank):
        """(fault, rank, seconds until it was named or None, what was said)."""
        run, began = self.launch(number, fault, rank)
        since, named, said = None, None, {}
        deadline = time.time() + 180 + self.options.after
        while time.time() < deadline:
            time.sleep(2)
            if since is None and (fault == "none" or began.exists()):
                since = time.time() + (self.options.after if fault == "none" else 0)
            for finding in self.findings(run):
                said[finding["key"]] = finding["what"]
                if since and named is None and is_it(finding, fault, rank):
                    named = time.time() - since
            if since and (named is not None or time.time() > since + self.options.limit):
                break
        self.lockstep("cancel", run)
        return fault, rank, named, said


def is_it(finding, fault, rank):
    kinds, names_rank, metric = WANTED[fault]
    if fault == "none" or finding["kind"] not in (kinds if isinstance(kinds, tuple) else (kinds,)):
        return False
    return (not names_rank or rank in finding["ranks"][:1]) and metric in (None, finding["metric"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, help="folder of lockstep and lockstep-rehearsal")
    parser.add_argument("--cases", type=int, default=20)
    parser.add_argument("--at-once", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--after", type=int, default=25, help="seconds of training before it goes wrong")
    parser.add_argument("--limit", type=int, default=45, help="seconds in which it has to be named")
    parser.add_argument("--kinds", default=",".join(WANTED))
    options = parser.parse_args()
    drawn = random.Random(options.seed)
    kinds = options.kinds.split(",")
    cases = [(i, kinds[i % len(kinds)], drawn.randrange(RANKS)) for i in range(options.cases)]
    bench, right, times = Bench(options), 0, []
    try:
        with concurrent.futures.ThreadPoolExecutor(options.at_once) as pool:
            for fault, rank, named, said in pool.map(lambda case: bench.case(*case), cases):
                is_right = not said if fault == "none" else named is not None
                right += is_right
                times += [named] if named is not None else []
                print("%-10s rank %d  %-12s %s" % (fault, rank, "%.0f s" % named if named is not None else
                                                   "quiet" if not said else "not named", "" if is_right else said), flush=True)
    finally:
        bench.close()
    print("%d of %d right; named after %.0f s (median), %.0f s (longest)" % (
        right, len(cases), statistics.median(times or [0]), max(times or [0])))
    return 0 if right >= 0.95 * len(cases) else 1


if __name__ == "__main__":
    sys.exit(main())
