"""One node of a Dask, Ray, Horovod or TensorFlow cluster of OCI Data Science job runs.

Runs first in every container and needs nothing but the environment of the job run. The nodes find each other through
files in the work dir, `<OCI__WORK_DIR>/<JOB_OCID>/`:

  MAIN_config.json, WORKER_<job run>_config.json, PS_<job run>_config.json   who is where
  cluster.json                                                              TensorFlow: the addresses by role and index
  stop                                                                      the main node has ended, so do the others

Exit status: that of the training script; 1 when the cluster did not come together; 2 when the environment is unusable.
"""

import fcntl
import ipaddress
import json
import os
import pathlib
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time

POLL_SECONDS = float(os.environ.get("LOCKSTEP_POLL_SECONDS", "5"))


class Unusable(Exception):
    """The environment of this job run cannot work: says what to change."""


def say(text):
    print(f"[node] {text}", flush=True)


# --------------------------------------------------------------------------------------------------------------------
# The work dir

class FolderBoard:
    """Files of a folder that all nodes see (a rehearsal, or docker compose)."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def write(self, name, text):
        part = self.folder / f".{name}.{os.getpid()}"
        part.write_text(text)
        part.replace(self.folder / name)  # nobody reads half a file

    def write_file(self, name, source):
        shutil.copyfile(source, self.folder / name)

    def read(self, name):
        try:
            return (self.folder / name).read_text()
        except FileNotFoundError:
            return None

    def names(self):
        return sorted(entry.name for entry in self.folder.iterdir() if not entry.name.startswith("."))


class BucketBoard:
    """Objects below a prefix of an Object Storage bucket."""

    def __init__(self, bucket, namespace, prefix):
        import oci

        config, signer = oci_access()
        keywords = {"signer": signer} if signer else {}
        self.client = oci.object_storage.ObjectStorageClient(config, **keywords)
        self.place = (namespace, bucket)
        self.prefix = prefix

    def write(self, name, text):
        self.client.put_object(*self.place, self.prefix + name, text.encode())

    def write_file(self, name, source):
        with open(source, "rb") as stream:
            self.client.put_object(*self.place, self.prefix + name, stream)

    def read(self, name):
        import oci

        try:
            return self.client.get_object(*self.place, self.prefix + name).data.content.decode()
        except oci.exceptions.ServiceError as error:
            if error.status == 404 and error.code == "ObjectNotFound":
                return None
            raise

    def names(self):
        import oci

        objects = oci.pagination.list_call_get_all_results(
            self.client.list_objects, *self.place, prefix=self.prefix, fields="name").data.objects
        return sorted(item.name[len(self.prefix):] for item in objects)


def oci_access():
    """(config, signer) of the resource principal, or of an API key when OCI_IAM_TYPE says so."""
    import oci

    if os.environ.get("OCI_IAM_TYPE") == "api_key":
        return oci.config.from_file(profile_name=os.environ.get("OCI_CONFIG_PROFILE", "DEFAULT")), None
    return {}, oci.auth.signers.get_resource_principals_signer()


def open_board(work_dir, job):
    if not work_dir or work_dir == "None":
        raise Unusable("OCI__WORK_DIR is not set: name spec.cluster.spec.workDir in the train.yaml")
    if not work_dir.startswith("oci://"):
        return FolderBoard(pathlib.Path(work_dir[7:] if work_dir.startswith("file://") else work_dir) / job)
    place, _, prefix = work_dir[6:].partition("/")
    bucket, at, namespace = place.partition("@")
    if not at:
        raise Unusable(f"OCI__WORK_DIR='{work_dir}' has no namespace: oci://bucket@namespace/prefix")
    return BucketBoard(bucket, namespace, "/".join(part for part in (prefix.strip("/"), job) if part not in ("", ".")) + "/")


# --------------------------------------------------------------------------------------------------------------------
# The own address

def own_addresses():
    """[(interface, IPv4 address)] of this machine."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            try:
                answer = fcntl.ioctl(probe.fileno(), 0x8915, struct.pack("256s", name.encode()[:15]))  # SIOCGIFADDR
            except OSError:
                continue  # an interface without an address
            found.append((name, socket.inet_ntoa(answer[20:24])))
    return found


def subnet_of_job(job):
    """The CIDR of the subnet that the job runs in; None when the service manages the network."""
    import oci

    config, signer = oci_access()
    keywords = {"signer": signer} if signer else {}
    details = oci.data_science.DataScienceClient(config, **keywords).get_job(job).data
    subnet = getattr(details.job_infrastructure_configuration_details, "subnet_id", None)
    if not subnet:
        return None
    return oci.core.VirtualNetworkClient(config, **keywords).get_subnet(subnet).data.cidr_block


def own_address(job):
    """(interface, address) by which the other nodes reach this one."""
    addresses = own_addresses()
    if os.environ.get("LOCKSTEP_NODE_ADDRESS"):
        return "", os.environ["LOCKSTEP_NODE_ADDRESS"]
    cidr = None if job == "Undefined" else subnet_of_job(job)
    if cidr is None:
        outside = [pair for pair in addresses if not pair[1].startswith("127.")]
        return (outside or addresses)[0]
    network = ipaddress.ip_network(cidr)
    for name, address in addresses:
        if ipaddress.ip_address(address) in network:
            return name, address
    raise Unusable(f"none of the addresses {addresses} lies in the subnet of the job, {network}")


# --------------------------------------------------------------------------------------------------------------------
# A node

class Node:
    """What all kinds have in common: role, address, board, and the training script."""

    def __init__(self, environment):
        self.env = dict(environment)
        self.job = self.env.get("JOB_OCID") or "Undefined"
        self.run = self.env.get("JOB_RUN_OCID") or str(time.time_ns())
        self.rank = self.env.get("RANK") or ""
        if not self.rank and self.env.get("NODE_RANK"):
            # A native multi-node job: all nodes share one job run, and the service counts them.
            self.rank = self.env["NODE_RANK"]
            self.run += "_" + self.rank
        self.mode = self.env.get("OCI__MODE", "MAIN").upper()
        self.workers = int(self.env.get("OCI__WORKER_COUNT") or 0)
        self.servers = int(self.env.get("OCI__PS_COUNT") or 0)
        self.timeout = float(self.env.get("OCI__TIMEOUT") or 600)
        self.start_args = shlex.split(self.env.get("OCI__START_ARGS", ""))
        self.board = open_board(self.env.get("OCI__WORK_DIR", ""), self.job)
        self.interface, self.address = own_address(self.job)
        self.is_main = self.mode == "MAIN"

    def config_name(self):
        return "MAIN_config.json" if self.is_main else f"{self.mode}_{self.run}_config.json"

    def publish(self, values):
        self.board.write(self.config_name(), json.dumps(values))
        say(f"{self.mode} at {self.address} wrote {self.config_name()}")

    def configs(self):
        names = [name for name in self.board.names() if name.endswith("_config.json")]
        texts = {name: self.board.read(name) for name in names}
        return {name: json.loads(text) for name, text in texts.items() if text}

    def wait_for(self, what, look):
        """The first thing that `look` finds, within OCI__TIMEOUT seconds."""
        deadline = time.monotonic() + self.timeout
        while True:
            found = look()
            if found is not None:
                return found
            if time.monotonic() > deadline:
                raise TimeoutError(f"{what} did not appear within {self.timeout:.0f} s (OCI__TIMEOUT)")
            time.sleep(POLL_SECONDS)

    def take_main_config(self):
        """Waits for the main node; what it wrote becomes part of the environment."""
        text = self.wait_for("the main node", lambda: self.board.read("MAIN_config.json"))
        self.env.update({key: str(value) for key, value in json.loads(text).items()})

    def is_stopped(self):
        return self.board.read("stop") is not None

    def wait_for_stop(self, process=None):
        """Returns when the main node has ended; a process of ours that ends before it is a failure."""
        while not self.is_stopped():
            if process is not None and process.poll() is not None:
                say(f"'{process.args[0]}' ended with {process.returncode} before the main node did")
                return process.returncode or 1
            time.sleep(POLL_SECONDS)
        return 0

    def script(self, folder="/code", with_kwargs=False):
        entry = self.env.get("OCI__ENTRY_SCRIPT", "")
        if not entry or entry == "None":
            raise Unusable("OCI__ENTRY_SCRIPT is not set: name spec.runtime.spec.entryPoint in the train.yaml")
        folder = self.env.get("LOCKSTEP_CODE_DIR", folder)
        words = shlex.split(self.env.get("OCI__ENTRY_SCRIPT_ARGS", ""))
        if with_kwargs:
            words += shlex.split(self.env.get("OCI__ENTRY_SCRIPT_KWARGS", ""))
        profiler = self.env.get("PROFILE_CMD", "").split() if self.env.get("PROFILE") == "1" else []
        return profiler + ["python3", "-u", os.path.join(folder, entry), *words]

    def start(self, command, **more):
        say("runs " + shlex.join(command))
        return subprocess.Popen(command, env={**self.env, **more})


def end(process):
    """Asks a process to end and sees to it that it does."""
    if process.poll() is None:
        process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def fetch_code(env):
    """Clones the repository of `type: git`; code that is baked into the image needs nothing."""
    kind = env.get("OCI__RUNTIME_TYPE", "")
    if not kind:
        return
    if kind != "git":
        raise Unusable(f"OCI__RUNTIME_TYPE='{kind}' is not supported by this image: leave it out, or use git")
    target = pathlib.Path(env.get("OCI__CODE_DIR") or "/code")
    if target.is_dir() and any(target.iterdir()):
        target.rename(f"{target}-{time.time_ns()}")
    subprocess.run(["git", "clone", env["OCI__RUNTIME_URI"], str(target)], check=True)
    wanted = env.get("OCI__RUNTIME_GIT_COMMIT") or env.get("OCI__RUNTIME_GIT_BRANCH")
    if wanted:
        subprocess.run(["git", "-C", str(target), "checkout", wanted], check=True)


def keep_results(env):
    """With SYNC_ARTIFACTS=1: what stands below OCI__SYNC_DIR goes to sync/<job>/<job run>/ of the bucket."""
    folder = pathlib.Path(env.get("OCI__SYNC_DIR") or "/opt/ml")
    if env.get("SYNC_ARTIFACTS") != "1" or not folder.is_dir():
        return
    workspace = env.get("WORKSPACE")
    root = env.get("OCI__WORK_DIR", "")
    if workspace:
        import oci

        config, signer = oci_access()
        client = oci.object_storage.ObjectStorageClient(config, **({"signer": signer} if signer else {}))
        root = f"oci://{workspace}@{client.get_namespace().data}/{env.get('WORKSPACE_PREFIX', '')}"
    place = f"{root.rstrip('/')}/sync/{env.get('JOB_OCID', 'Undefined')}/{env.get('JOB_RUN_OCID', 'run')}"
    for file in sorted(entry for entry in folder.rglob("*") if entry.is_file()):
        board = open_board(place, str(file.relative_to(folder).parent))
        board.write_file(file.name, file)
        say(f"kept {file} in {place}")


# --------------------------------------------------------------------------------------------------------------------
# The kinds

def run_dask(node):
    port = node.env.get("SCHEDULER_PORT") or "8786"
    processes = node.env.get("nprocs", "1")
    scheme = "tls://" if "--tls-key" in " ".join(node.start_args) else ""
    own = {"tmpdir": str(node.env.get("OCI__WORK_DIR")), "nprocs": processes,
           "death_timeout": node.env.get("death_timeout", "10")}
    if node.is_main:
        scheduler = node.start(["python3", "-m", "distributed.cli.dask_scheduler", "--host", "0.0.0.0",
                                *([] if "--port" in " ".join(node.start_args) else ["--port", port]), *node.start_args])
        node.publish({"OCI__MAIN_IP": node.address, "SCHEDULER_IP": scheme + node.address, **own})
    node.take_main_config()
    scheduler_at = node.env["SCHEDULER_IP"] + ":" + port
    if not node.is_main:
        node.publish({"OCI__WORKER_IP": node.address, **own})
        worker = node.start(["python3", "-m", "distributed.cli.dask_worker", scheduler_at, "--nworkers", processes,
                             "--death-timeout", own["death_timeout"], "--name", node.run, *node.start_args])
        code = node.wait_for_stop(worker)
        end(worker)
        return code
    try:
        return run_with_dask_workers(node, scheduler, scheduler_at, int(processes))
    finally:
        node.board.write("stop", "stop")
        end(scheduler)


def run_with_dask_workers(node, scheduler, scheduler_at, processes):
    count = node.workers * processes
    look = ("import json, sys; from distributed import Client, Security; "
            "client = Client(sys.argv[1], timeout=10, security=Security(**json.loads(sys.argv[2]))); "
            "sys.exit(0 if len(client.nthreads()) >= int(sys.argv[3]) else 3)")
    address = scheduler_at if "://" in scheduler_at else "tcp://" + scheduler_at

    def workers_are_there():
        if scheduler.poll() is not None:
            raise Unusable(f"the scheduler ended with {scheduler.returncode}; its lines stand above")
        return succeeds([sys.executable, "-c", look, address, json.dumps(tls_of(node.start_args)), str(count)],
                        node.env)

    node.wait_for(f"{count} Dask workers", workers_are_there)
    say(f"{count} Dask workers are there")
    return node.start(node.script(with_kwargs=True)).wait()


def succeeds(command, environment):
    """True, or None while the command still fails, as wait_for() wants it."""
    done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return True if done.returncode == 0 else None


def tls_of(start_args):
    """The TLS files named on the scheduler's command line, as distributed.Security wants them."""
    names = {"--tls-ca-file": "tls_ca_file", "--tls-cert": "tls_client_cert", "--tls-key": "tls_client_key"}
    found = {names[word]: start_args[i + 1] for i, word in enumerate(start_args[:-1]) if word in names}
    return {**found, "require_encryption": True} if found else {}


def run_ray(node):
    if node.is_main:
        head = node.start(["ray", "start", "--head", "--port=3000", f"--node-ip-address={node.address}", "--block"])
        node.publish({"OCI__MAIN_IP": node.address, "HEAD_IP": node.address, "tmpdir": node.env.get("OCI__WORK_DIR")})
        try:
            look = ("import sys, ray; ray.init(address=sys.argv[1], log_to_driver=False); "
                    "sys.exit(0 if sum(n['Alive'] for n in ray.nodes()) > int(sys.argv[2]) else 3)")
            node.wait_for(f"{node.workers} Ray workers", lambda: succeeds(
                [sys.executable, "-c", look, node.address + ":3000", str(node.workers)], node.env))
            return node.start(node.script(with_kwargs=True), RAY_ADDRESS=node.address + ":3000").wait()
        finally:
            node.board.write("stop", "stop")
            end(head)
    node.take_main_config()
    node.publish({"OCI__WORKER_IP": node.address, "tmpdir": node.env.get("OCI__WORK_DIR")})
    worker = node.start(["ray", "start", f"--address={node.env['OCI__MAIN_IP']}:3000", "--block",
                         f"--node-ip-address={node.address}", "--min-worker-port=8700", "--max-worker-port=8800"])
    code = node.wait_for_stop(worker)
    end(worker)
    return code


def slots_here(environment):
    """Processes on this node: SLOTS, else its GPUs, else its CPUs."""
    if environment.get("SLOTS"):
        return int(environment["SLOTS"])
    gpus = len([name for name in os.listdir("/dev") if name[:6] == "nvidia" and name[6:].isdigit()])
    return gpus or len(os.sched_getaffinity(0))


def run_horovod(node):
    port = node.env.get("WORKER_PORT") or "12345"
    if node.interface:
        for name in ("GLOO_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME"):
            node.env.setdefault(name, node.interface)
    own = {"tmpdir": node.env.get("OCI__WORK_DIR"), "OCI__WORKER_IP": node.address,
           "OCI__SLOTS": str(slots_here(node.env)), "host_key": make_host_key()}
    if node.is_main:
        # The key is made for this run, and only its public half leaves the main node.
        own.update({"OCI__MAIN_IP": node.address, "authorized_key": make_login_key()})
        node.publish(own)
    node.take_main_config()
    authorize(node.env["authorized_key"])
    sshd = node.start(["/usr/sbin/sshd", "-D", "-e", "-p", port, "-o", "PasswordAuthentication=no"])
    if not node.is_main:
        node.publish(own)
        code = wait_for_horovod_end(node, sshd)
        end(sshd)
        return code
    code = 1
    try:
        code = run_horovod_main(node, port)
        return code
    finally:
        node.board.write("stop" if code == 0 else "stop_fail", "stop")
        end(sshd)


def wait_for_horovod_end(node, sshd):
    while node.board.read("stop_fail") is None:
        if node.is_stopped():
            return 0
        if sshd.poll() is not None:
            say(f"sshd ended with {sshd.returncode}")
            return 1
        time.sleep(POLL_SECONDS)
    return 1


def run_horovod_main(node, port):
    def all_hosts():
        hosts = {c["OCI__WORKER_IP"]: c for c in node.configs().values() if "OCI__WORKER_IP" in c}
        return hosts if len(hosts) > node.workers else None

    hosts = node.wait_for(f"{node.workers} Horovod workers", all_hosts)
    ssh = pathlib.Path.home() / ".ssh"
    (ssh / "known_hosts").write_text("".join(f"[{ip}]:{port} {c['host_key']}\n" for ip, c in hosts.items()))
    listing = pathlib.Path("/tmp/lockstep-hosts")
    listing.write_text("".join(f"{ip}:{c['OCI__SLOTS']}\n" for ip, c in hosts.items()))
    script = pathlib.Path("/tmp/discover-hosts.sh")
    script.write_text(f"#!/bin/sh\ncat {listing}\n")
    script.chmod(0o755)
    total = sum(int(c["OCI__SLOTS"]) for c in hosts.values())
    least = max(1, int(node.env.get("MIN_NP") or total))
    command = ["horovodrun", "-np", node.env.get("NP") or str(least), "-p", port, "--min-np", str(least),
               "--max-np", str(max(total, int(node.env.get("MAX_NP") or 0))),
               "--host-discovery-script", str(script),
               "--start-timeout", str(max(600, int(node.env.get("START_TIMEOUT") or 0))),
               *shlex.split(node.env.get("HOROVOD_ARGS", ""))]
    if node.env.get("ENABLE_TIMELINE") == "1":
        command += ["--timeline-filename", node.env.get("OCI__SYNC_DIR", "/opt/ml") + "/timeline.json"]
    return node.start(command + node.script()).wait()


def make_login_key():
    key = pathlib.Path.home() / ".ssh" / "id_ed25519"
    key.parent.mkdir(mode=0o700, exist_ok=True)
    if not key.exists():
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    return key.with_suffix(".pub").read_text().strip()


def make_host_key():
    subprocess.run(["ssh-keygen", "-A"], check=True, stdout=subprocess.DEVNULL)
    pathlib.Path("/run/sshd").mkdir(parents=True, exist_ok=True)
    return " ".join(pathlib.Path("/etc/ssh/ssh_host_ed25519_key.pub").read_text().split()[:2])


def authorize(public_key):
    ssh = pathlib.Path.home() / ".ssh"
    ssh.mkdir(mode=0o700, exist_ok=True)
    (ssh / "authorized_keys").write_text(public_key + "\n")
    (ssh / "authorized_keys").chmod(0o600)


def run_tensorflow(node):
    port = node.env.get("WORKER_PORT") or "12345"
    node.publish({"OCI__MODE": node.mode, "OCI__WORKER_IP": node.address, "WORKER_PORT": port,
                  "RANK": node.rank})
    if node.is_main:
        node.board.write("cluster.json", json.dumps(node.wait_for("the other nodes", lambda: cluster_of(node))))
    cluster = json.loads(node.wait_for("cluster.json", lambda: node.board.read("cluster.json")))
    config = tf_config(cluster, node.mode, f"{node.address}:{port}", with_servers=node.servers > 0)
    process = node.start(node.script(folder="/"), TF_CONFIG=json.dumps(config))
    if node.servers == 0 or node.is_main:
        code = process.wait()
        if node.is_main:
            node.board.write("stop", "stop")
        return code
    # Workers and parameter servers serve until the chief is done.
    code = node.wait_for_stop(process)
    end(process)
    return code


def cluster_of(node):
    """{"worker": {"0": "ip:port"}, "ps": …} once every node has written where it is; the main node is worker 0."""
    found = node.configs()
    if len(found) < 1 + node.workers + node.servers:
        return None
    place = lambda c: f"{c['OCI__WORKER_IP']}:{c['WORKER_PORT']}"
    by_rank = lambda item: (int(item[1].get("RANK") or 0), item[0])
    workers = sorted((i for i in found.items() if i[1]["OCI__MODE"] != "PS"), key=by_rank)
    servers = sorted((i for i in found.items() if i[1]["OCI__MODE"] == "PS"), key=by_rank)
    return {"worker": {str(n): place(c) for n, (_, c) in enumerate(workers)},
            "ps": {str(n): place(c) for n, (_, c) in enumerate(servers)}}


def tf_config(cluster, mode, own, with_servers):
    """TF_CONFIG of one node: all are workers, or with parameter servers the main node is the chief."""
    workers = [cluster["worker"][str(n)] for n in range(len(cluster["worker"]))]
    servers = [cluster["ps"][str(n)] for n in range(len(cluster["ps"]))]
    if not with_servers:
        return {"cluster": {"worker": workers}, "task": {"type": "worker", "index": workers.index(own)}}
    roles = {"chief": workers[:1], "worker": workers[1:], "ps": servers}
    role = {"MAIN": "chief", "PS": "ps"}.get(mode, "worker")
    return {"cluster": {name: places for name, places in roles.items() if places},
            "task": {"type": role, "index": roles[role].index(own)}}


KINDS = {"DASK": run_dask, "RAY": run_ray, "HOROVOD": run_horovod, "TENSORFLOW": run_tensorflow}


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that what we started is ended, too
    kind = os.environ.get("OCI__CLUSTER_TYPE", "").upper()
    try:
        if kind not in KINDS:
            raise Unusable(f"OCI__CLUSTER_TYPE='{kind}' is none of {', '.join(KINDS)}")
        node = Node(os.environ)
        fetch_code(os.environ)
        try:
            return KINDS[kind](node)
        finally:
            keep_results(os.environ)
    except Unusable as problem:
        say(str(problem))
        return 2
    except TimeoutError as problem:
        say(str(problem))
        return 1


if __name__ == "__main__":
    sys.exit(main())
