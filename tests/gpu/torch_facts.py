# SPDX-License-Identifier: GPL-3.0-or-later
"""Says where this Python's LibTorch is and what it is like, as lines that a shell can take: NAME='VALUE'."""
import glob
import os
import re
import shlex
import shutil
import sys

# What LibTorch's headers for CUDA include; those of crt/ are the compiler's, which wheels of the runtime leave out.
CUDA_HEADERS = ("cuda_runtime_api.h", "crt/host_defines.h", "cublas_v2.h", "cublasLt.h", "cusparse.h", "cusolverDn.h")


def cuda_roots(site):
    """Folders that may hold CUDA's include and lib: the wheels' own, then a toolkit, then what Triton brings."""
    roots = sorted(glob.glob(os.path.join(site, "nvidia", "*")))
    nvcc = shutil.which("nvcc")
    roots += [os.environ.get("CUDA_HOME", ""), os.environ.get("CUDA_PATH", ""), "/usr/local/cuda"]
    if nvcc:
        roots.append(os.path.dirname(os.path.dirname(os.path.realpath(nvcc))))
    roots += sorted(glob.glob("/usr/local/cuda-*"), reverse=True)
    roots.append(os.path.join(site, "triton", "backends", "nvidia"))
    return [root for root in roots if root and os.path.isdir(root)]


def cuda_includes(site):
    """The fewest folders in which all headers are that LibTorch's headers for CUDA include; and what is missing."""
    folders, missing = [], []
    candidates = [os.path.join(root, "include") for root in cuda_roots(site)]
    for header in CUDA_HEADERS:
        if any(os.path.exists(os.path.join(folder, header)) for folder in folders):
            continue
        found = [folder for folder in candidates if os.path.exists(os.path.join(folder, header))]
        (folders.append(found[0]) if found else missing.append(header))
    return folders, missing


def cuda_libraries(site):
    """The CUDA runtime that this LibTorch uses, "" where there is none; and the folders of all that came with it."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        loaded = [line.split(None, 5)[5].strip() for line in maps if ".so" in line]
    files = [file for file in dict.fromkeys(loaded) if re.search(r"/(nvidia|cuda[^/]*)/", file)]
    folders = [os.path.join(root, name) for root in cuda_roots(site) for name in ("lib", "lib64")]
    folders = list(dict.fromkeys([os.path.dirname(file) for file in files] + [f for f in folders if os.path.isdir(f)]))
    named = [file for file in loaded if os.path.basename(file).startswith("libcudart.so")]
    for folder in folders:
        named += sorted(glob.glob(os.path.join(folder, "libcudart.so*")))
    return (named[0] if named else ""), folders


def main():
    try:
        import torch
    except Exception as error:  # whatever breaks the import, the caller shows it
        print(f"cannot import torch: {error}", file=sys.stderr)
        return 1
    home = os.path.dirname(torch.__file__)
    site = os.path.dirname(home)
    include = os.path.realpath(os.path.join(home, "include"))
    lib = os.path.realpath(os.path.join(home, "lib"))
    if not os.path.isdir(include):  # a package of the system
        include = "/usr/include"
    if not os.path.exists(os.path.join(lib, "libtorch_cpu.so")):
        lib = next(iter(sorted(glob.glob("/usr/lib/*/libtorch_cpu.so"))), "/usr/lib/libtorch_cpu.so")
        lib = os.path.dirname(lib)
    includes, missing = cuda_includes(site) if torch.version.cuda else ([], [])
    runtime, folders = cuda_libraries(site) if torch.version.cuda else ("", [])
    if torch.version.cuda and not runtime:
        missing.append("libcudart.so")
    gpus = torch.cuda.device_count() if torch.version.cuda and torch.cuda.is_available() else 0
    facts = {
        "torch_version": torch.__version__,
        "torch_cuda": torch.version.cuda or "",
        "torch_abi": int(torch._C._GLIBCXX_USE_CXX11_ABI),
        "torch_include": ";".join([include, os.path.join(include, "torch/csrc/api/include")]),
        "torch_lib": lib,
        "cuda_include": ";".join(includes),
        "cuda_missing": " ".join(missing),
        "cuda_lib": ";".join(folders),
        "cuda_runtime": runtime,
        "gpus": gpus,
        "gpu_name": torch.cuda.get_device_name(0) if gpus else "",
        "nccl": ".".join(map(str, torch.cuda.nccl.version())) if gpus else "",
    }
    for name, value in facts.items():
        print(f"{name}={shlex.quote(str(value))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
