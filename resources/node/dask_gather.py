# SPDX-License-Identifier: GPL-3.0-or-later
# Waits for the workers: argv is the scheduler, the files of TLS as JSON, nodes, processes per node, seconds.
# A node counts when all its processes are there; with `ads` workers, which start as many as they like, when
# its address has been there for some seconds.
import json, sys, time
from distributed import Client, Security
address, tls, nodes, each, limit = (
    sys.argv[1], json.loads(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), float(sys.argv[5]))
end = time.monotonic() + limit
said, complete = None, None
with Client(address, timeout=limit, security=Security(**tls) if tls else None) as client:
    while True:
        workers = list(client.nthreads())
        hosts = len({worker.split('://')[-1].rsplit(':', 1)[0] for worker in workers})
        if len(workers) != said:
            said = len(workers)
            print(f'{said} of {nodes * each} Dask workers are there', flush=True)
        complete = (complete or time.monotonic()) if hosts >= nodes else None
        if len(workers) >= nodes * each or (complete and time.monotonic() - complete > 10):
            sys.exit(0)
        if time.monotonic() > end:
            sys.exit(f'{said} of {nodes * each} Dask workers came within {limit:.0f} s (OCI__TIMEOUT)')
        time.sleep(0.25)
