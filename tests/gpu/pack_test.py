# SPDX-License-Identifier: GPL-3.0-or-later
"""pack.sh packs all that the trainer and its tests are built from; prove.sh refuses what it cannot prove. Builds nothing."""
import glob
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TOP = "lockstep-trainer/"
MOST_BYTES = 64 << 20
# Of LibTorch and CUDA, which the GPU machine has; and what is looked for with __has_include or by CMake first.
THEIRS = ("ATen/", "c10/", "torch/", "caffe2/", "gloo/", "dnnl.h")


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def headers_of_the_system():
    """Of the C library, the kernel and the compiler: every machine with a compiler has them."""
    names = set()
    for name in glob.glob("/var/lib/dpkg/info/libc6-dev*.list") + glob.glob("/var/lib/dpkg/info/linux-libc-dev*.list"):
        for line in text_of(name).splitlines():
            names.add(re.sub(r"^/usr/include/(?:[a-z0-9_]+-linux-gnu/)?", "", line))
    own = subprocess.run(["g++", "-print-file-name=include"], capture_output=True, text=True, check=True).stdout.strip()
    return names | set(os.listdir(own))


class Archive(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.file = os.path.join(cls.folder, "trainer.tar.gz")
        made = subprocess.run([os.path.join(HERE, "pack.sh"), cls.file], capture_output=True, text=True, check=False)
        if made.returncode:
            raise AssertionError(made.stdout + made.stderr)
        with tarfile.open(cls.file) as archive:
            archive.extractall(cls.folder)
        cls.tree = os.path.join(cls.folder, TOP)
        cls.files = {os.path.relpath(os.path.join(at, name), cls.tree)
                     for at, _, names in os.walk(cls.tree) for name in names}

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def ours(self, *endings):
        return [name for name in sorted(self.files) if not name.startswith("third/") and name.endswith(endings)]

    def test_travels_with_a_job(self):
        self.assertLess(os.path.getsize(self.file), MOST_BYTES)

    def test_has_every_file_of_the_trainer_and_its_tests(self):
        for folder in ("trainer", "tests/trainer", "core/base", "core/oci"):
            for at, _, names in os.walk(os.path.join(ROOT, folder)):
                for name in names:
                    if not name.endswith(".pyc"):
                        self.assertIn(os.path.relpath(os.path.join(at, name), ROOT), self.files)

    def test_every_include_is_in_it(self):
        system = headers_of_the_system()
        self.assertIn("unistd.h", system)
        folders = ("", "core", "tests", "tests/support")
        for name in self.ours(".cpp", ".h"):
            for kind, header in re.findall(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', text_of(self.tree + name), re.M):
                if kind == '"':
                    if name.startswith("tests/support/") or header == "base/version.h":
                        continue  # helpers of other tests lie there, too; the version is made by CMake
                    places = [os.path.join(folder, header) for folder in (*folders, os.path.dirname(name))]
                    self.assertTrue(any(place in self.files for place in places), f"{name} includes '{header}'")
                elif "." in header and not header.startswith(THEIRS) and header not in system:
                    known = "third/include/" + header in self.files or "third/googletest/include/" + header in self.files
                    self.assertTrue(known, f"{name} includes <{header}>")

    def test_packed_headers_include_only_packed_ones(self):
        """As the packed CMake files compile them: what cpp-httplib includes depends on its definitions."""
        options = [word for line in re.findall(r"target_compile_options\((.*)\)", text_of(self.tree + "third/libraries.cmake"))
                   for word in line.split() if word.startswith("-D")]
        every_machine = headers_of_the_system()
        for header in ("httplib.h", "curl/curl.h", "openssl/evp.h", "nlohmann/json.hpp", "CLI/CLI.hpp", "fmt/format.h",
                       "tl/expected.hpp", "yaml.h", "yaml-cpp/yaml.h", "png.h", "zlib.h"):
            read = subprocess.run(["g++", "-std=c++20", "-M", *options, "-I", self.tree + "third/include", "-x", "c++", "-"],
                                  input=f"#include <{header}>\n", capture_output=True, text=True, check=True).stdout
            for path in re.findall(r"/usr/include/(?!c\+\+/)(\S+)", read):
                path = re.sub(r"^[a-z0-9_]+-linux-gnu/", "", path)
                self.assertTrue(path in every_machine or path.startswith("c++/"), f"{header} includes {path} of this machine")

    def test_every_linked_target_is_defined_in_it(self):
        texts = "\n".join(text_of(self.tree + name) for name in self.ours("CMakeLists.txt"))
        texts = re.sub(r"#.*", "", texts) + text_of(self.tree + "third/libraries.cmake")
        defined = {"lockstep_" + name for name in re.findall(r"lockstep_add_(?:trainer_)?room\((\w+)", texts)}
        defined |= set(re.findall(r"(?:add_library|packed_library)\(([\w:-]+)", texts)) | {"Threads::Threads", "lockstep_options"}
        links = r"(?:target_link_libraries|lockstep_add_(?:trainer_)?room|lockstep_add_gtest)\(([^)]*)\)"
        for words in re.findall(links, texts):
            for target in re.findall(r"\b(?:lockstep_\w+|[A-Za-z]\w*::\w+)", words):
                self.assertIn(target, defined, "packed CMake files link it")

    def test_every_library_finds_those_it_loads(self):
        folder = os.path.join(self.tree, "third/lib")
        packed = set(os.listdir(folder))
        every_machine = re.compile(r"(lib(c|m|dl|rt|pthread|resolv|stdc\+\+|gcc_s)|ld-linux[\w-]*)\.so")
        for name in packed:
            shown = subprocess.run(["objdump", "-p", os.path.join(folder, name)], capture_output=True, text=True, check=True)
            for needed in re.findall(r"NEEDED\s+(\S+)", shown.stdout):
                self.assertTrue(needed in packed or every_machine.match(needed), f"{name} loads {needed}")


class Prove(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def python_saying(self, **facts):
        """A stand-in for the Python that has torch."""
        every = {"torch_version": "2.0", "torch_cuda": "", "torch_abi": 1, "torch_include": self.folder, "torch_lib": self.folder,
                 "cuda_include": "", "cuda_missing": "", "cuda_lib": "", "cuda_runtime": "", "gpus": 0, "gpu_name": "", "nccl": "", **facts}
        path = os.path.join(self.folder, "python")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\ncat <<'E'\n" + "".join(f"{k}='{v}'\n" for k, v in every.items()) + "E\n")
        os.chmod(path, 0o755)
        return path

    def refusal(self, python, archive="none.tar.gz", **more):
        environment = {**os.environ, "PYTHON": python, "OUT": os.path.join(self.folder, "out"), **more}
        ran = subprocess.run([os.path.join(HERE, "prove.sh"), os.path.join(self.folder, archive)], env=environment,
                             capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 1, ran.stdout)
        return ran.stderr

    def touch(self, *names):
        for name in names:
            path = os.path.join(self.folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8"):
                pass

    def test_names_what_is_missing_and_the_way_out(self):
        self.assertRegex(self.refusal("/nowhere/python"), "error: there is no '/nowhere/python'; name the Python")
        self.assertRegex(self.refusal(self.python_saying(torch_abi=0)), "ABI of before 2015.*; install a PyTorch of 2.6")
        self.assertRegex(self.refusal(self.python_saying()), "has no headers in .*; install")
        self.touch("ATen/ATen.h")
        self.assertRegex(self.refusal(self.python_saying()), "has no libtorch_cpu.so in .*; install")
        self.touch("libtorch_cpu.so")
        self.assertRegex(self.refusal(self.python_saying(torch_cuda="13.0", cuda_missing="cusparse.h")),
                         "for CUDA 13.0, of which this is nowhere: cusparse.h; install the CUDA toolkit")
        self.assertRegex(self.refusal(self.python_saying()), "none.tar.gz' is missing; make it with tests/gpu/pack.sh")

    def archive_needing(self, machine=os.uname().machine, glibc="2.17", glibcxx="3.4.20", **sources):
        """Without anything to build."""
        texts = {"third/needs.txt": f"machine {machine}\nglibc {glibc}\nglibcxx {glibcxx}\n", **sources}
        with tarfile.open(os.path.join(self.folder, "needs.tar.gz"), "w:gz") as archive:
            for name, text in texts.items():
                entry = tarfile.TarInfo(TOP + name)
                entry.size = len(text)
                archive.addfile(entry, io.BytesIO(text.encode()))
        return "needs.tar.gz"

    def test_refuses_libraries_of_another_system(self):
        self.touch("ATen/ATen.h", "libtorch_cpu.so")
        refusal = lambda **needs: self.refusal(self.python_saying(), self.archive_needing(**needs))
        self.assertRegex(refusal(machine="pdp11"), "the archive is for pdp11, and this is .*; pack it on such a machine")
        self.assertRegex(refusal(glibc="99.9"), "need glibc 99.9, and here is .*; pack it on an older system")
        self.assertRegex(refusal(glibcxx="9.9.9"), "need GLIBCXX_9.9.9, and .*; install g")
        self.assertRegex(refusal(), "CMake refuses; see .*build.log")

    def test_builds_again_what_has_changed(self):
        self.touch("ATen/ATen.h", "libtorch_cpu.so")
        work = os.path.join(self.folder, "work")
        unpacked = lambda: {entry.name: entry.stat().st_mtime for entry in os.scandir(os.path.join(work, TOP)) if entry.is_file()}
        self.refusal(self.python_saying(), self.archive_needing(same="1", other="2", gone="3"), PROVE_WORK=work)
        first = unpacked()
        self.assertEqual(set(first), {"same", "other", "gone"})
        self.assertGreater(min(first.values()), time.time() - 600, "not of 1970, as in the archive")
        self.refusal(self.python_saying(), self.archive_needing(same="1", other="4"), PROVE_WORK=work)
        second = unpacked()
        self.assertEqual(set(second), {"same", "other"})
        self.assertEqual(second["same"], first["same"])
        self.assertGreater(second["other"], first["other"])
        self.assertEqual(text_of(os.path.join(work, TOP, "other")), "4")


class Bench(unittest.TestCase):
    """bench.py with programs that only print."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        with open(os.path.join(self.folder, "facts.json"), "w", encoding="utf-8") as file:
            file.write("{}")
        self.program("usage", "cat >/dev/null")

    def program(self, name, body):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + body + "\n")
        os.chmod(path, 0o755)
        return path

    def printing(self, name, rate, parameters=5):
        """Rank 0 trains `rate` samples a second in its first round, twice as many in the second, and so on."""
        count = os.path.join(self.folder, name + ".count")
        return self.program(name, f"""echo >>{count}; n=$(wc -l <{count})
echo "RESULT rank=0 world=1 samples_per_s=$((n * {rate})).0 step_ms_median=1.5 elapsed=0.1 hwm_mb=9.0 \
first_step_wall_ns=$(date +%s%N) parameters={parameters}" """)

    def run_with(self, ours, python):
        ran = subprocess.run([sys.executable, os.path.join(HERE, "bench.py"), "--trainer", ours, "--python", python, "--usage",
                              os.path.join(self.folder, "usage"), "--facts", os.path.join(self.folder, "facts.json"), "--out",
                              self.folder, "--torch-version", "2.0", "--rounds", "3"], capture_output=True, text=True, check=False)
        return ran, json.loads(text_of(os.path.join(self.folder, "bench.json")))

    def test_takes_turns_and_tells_medians_and_ratio(self):
        ran, result = self.run_with(self.printing("ours", 30), self.printing("python", 20))
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        # Both networks count on: rounds 1, 3, 5 and 2, 4, 6.
        rates = {(row["program"], row["network"][:3]): row["samples_per_s"] for row in result["rows"]}
        self.assertEqual(rates["lockstep", "Res"], {"n": 3, "median": 90.0, "least": 30.0, "most": 150.0})
        self.assertEqual(rates["python-ddp", "GPT"], {"n": 3, "median": 80.0, "least": 40.0, "most": 120.0})
        self.assertRegex(text_of(os.path.join(self.folder, "bench.txt")), r"lockstep +3 +90\.0 \(30\.0-150\.0\) +1\.50 ")

    def test_keeps_what_is_measured_when_a_program_fails(self):
        ran, result = self.run_with(self.printing("ours", 30), self.program("python", "echo out of memory; exit 3"))
        self.assertEqual(ran.returncode, 1)
        self.assertIn("out of memory", ran.stderr)
        self.assertEqual({row["program"] for row in result["rows"]}, {"lockstep"})
        self.assertEqual({row["samples_per_s"]["n"] for row in result["rows"]}, {3})

    def test_compares_no_networks_of_different_sizes(self):
        ran, _ = self.run_with(self.printing("ours", 30, 5), self.printing("python", 20, 6))
        self.assertEqual(ran.returncode, 1)
        self.assertIn("networks of different sizes", ran.stderr)


class Scripts(unittest.TestCase):
    @unittest.skipUnless(shutil.which("shellcheck"), "shellcheck is not installed")
    def test_are_clean(self):
        scripts = [os.path.join(HERE, name) for name in ("pack.sh", "prove.sh")]
        checked = subprocess.run(["shellcheck", *scripts], capture_output=True, text=True, check=False)
        self.assertEqual(checked.returncode, 0, checked.stdout)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    unittest.main()
