"""Searches the best parameters of a support vector machine on handwritten digits, with all nodes of a Ray cluster.

Runs on the main node once every worker is there; RAY_ADDRESS comes from the node runner (/etc/datascience/node.py).
Without it Ray makes a small cluster on this machine, so that it runs on a laptop, too:

    python3 search.py --cv 3
"""

import argparse
import itertools
import json
import os
import pathlib
import time

import numpy as np
import ray
from sklearn.datasets import load_digits
from sklearn.model_selection import cross_val_score
from sklearn.svm import SVC


@ray.remote(num_cpus=1)
def score(parameters, data, cv):
    """The mean accuracy of one candidate, and the node that found it out."""
    pictures, digits = data
    return parameters, float(np.mean(cross_val_score(SVC(**parameters), pictures, digits, cv=cv))), os.uname().nodename


def candidates():
    grid = {"C": [0.1, 1.0, 10.0, 100.0], "gamma": ["scale", 0.001, 0.0001], "kernel": ["rbf", "poly"]}
    return [dict(zip(grid, values)) for values in itertools.product(*grid.values())]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cv", type=int, default=5, help="folds of the cross validation")
    parser.add_argument("--limit", type=int, help="try only the first N candidates",
                        default=6 if "LOCKSTEP_REHEARSAL" in os.environ else None)  # a rehearsal takes seconds
    parser.add_argument("--output-dir", default=os.environ.get("OCI__SYNC_DIR", "/opt/ml"))
    options = parser.parse_args()

    ray.init(address=os.environ.get("RAY_ADDRESS"))
    print(f"{len(ray.nodes())} nodes with {ray.cluster_resources().get('CPU', 0):.0f} CPUs", flush=True)
    data = ray.put(load_digits(return_X_y=True))  # once, not with every task
    started = time.monotonic()
    waiting = [score.remote(parameters, data, options.cv) for parameters in candidates()[: options.limit]]
    count, results = len(waiting), []
    while waiting:
        ready, waiting = ray.wait(waiting)
        parameters, accuracy, where = ray.get(ready[0])
        results.append((parameters, accuracy))
        print(f"{len(results)}/{count} {parameters} accuracy {accuracy:.4f} on {where}", flush=True)
    best = max(results, key=lambda result: result[1])
    print(f"best {best[0]} accuracy {best[1]:.4f} after {time.monotonic() - started:.1f} s", flush=True)

    folder = pathlib.Path(options.output_dir)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "best.json").write_text(json.dumps({"parameters": best[0], "accuracy": best[1]}, indent=2) + "\n")
    ray.shutdown()


if __name__ == "__main__":
    main()
