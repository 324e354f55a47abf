"""Searches the best parameters of a support vector machine on handwritten digits, with all workers of a Dask cluster.

Runs on the main node once every worker is there; SCHEDULER_IP and SCHEDULER_PORT come from the node runner
(/etc/datascience/node.py). Without them it makes a small cluster in this process, so that it runs on a laptop, too:

    python3 gridsearch.py --cv 3
"""

import argparse
import itertools
import json
import os
import pathlib
import time

import numpy as np
from distributed import Client, Security, as_completed
from sklearn.datasets import load_digits
from sklearn.model_selection import cross_val_score
from sklearn.svm import SVC


def connect():
    """A client of the cluster of this job, or of one in this process."""
    scheduler = os.environ.get("SCHEDULER_IP")
    if not scheduler:
        return Client(processes=False, dashboard_address=None)
    port = os.environ.get("SCHEDULER_PORT", "8786")
    if not scheduler.startswith("tls://"):
        return Client(f"tcp://{scheduler}:{port}")
    # The files of spec.cluster.spec.certificate.
    security = Security(tls_ca_file=os.environ.get("OCI__CA_DOWNLOAD_LOCATION", "ca-cert.pem"),
                        tls_client_cert=os.environ.get("OCI__CERTIFICATE_DOWNLOAD_LOCATION", "cert.pem"),
                        tls_client_key=os.environ.get("OCI__CERTIFICATE_KEY_DOWNLOAD_LOCATION", "key.pem"),
                        require_encryption=True)
    return Client(f"{scheduler}:{port}", security=security)


def score(parameters, data, cv):
    """The mean accuracy of one candidate; runs on a worker."""
    pictures, digits = data
    return parameters, float(np.mean(cross_val_score(SVC(**parameters), pictures, digits, cv=cv)))


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

    with connect() as client:
        print(f"{len(client.nthreads())} workers with {sum(client.nthreads().values())} threads", flush=True)
        data = client.scatter(load_digits(return_X_y=True), broadcast=True)  # once, not with every task
        started = time.monotonic()
        futures = client.map(score, candidates()[: options.limit], data=data, cv=options.cv)
        results = []
        for done, (_, result) in enumerate(as_completed(futures, with_results=True), start=1):
            results.append(result)
            print(f"{done}/{len(futures)} {result[0]} accuracy {result[1]:.4f}", flush=True)
        best = max(results, key=lambda result: result[1])
        print(f"best {best[0]} accuracy {best[1]:.4f} after {time.monotonic() - started:.1f} s", flush=True)

    folder = pathlib.Path(options.output_dir)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "best.json").write_text(json.dumps({"parameters": best[0], "accuracy": best[1]}, indent=2) + "\n")


if __name__ == "__main__":
    main()
