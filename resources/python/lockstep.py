# SPDX-License-Identifier: GPL-3.0-or-later
"""Records the metrics of a training script for Lockstep: docs/python.md tells how to use it.

The script runs below a node agent, which names a folder in LOCKSTEP_METRICS_FOLDER and collects the files in it. Where
there is no such folder, every call does nothing. No call ever raises, prints, or waits for a disk or a GPU, but flush(),
which waits as long as it is told, and the makers of callbacks, which raise ImportError without their framework.
All functions may be called from any thread. The bytes of a file: docs/formats/metric-segments.md, sections 2 to 4."""
import atexit
import collections
import contextlib
import functools
import importlib
import itertools
import json
import operator
import os
import signal
import struct
import sys
import threading
import time
import types
import weakref
from array import array
from collections.abc import Mapping

__all__ = ["log", "phase", "watch", "flush", "enabled", "dropped",
           "lightning_callback", "huggingface_callback", "keras_callback"]

_MAX_WAITING = 1 << 17  # rows in memory; beyond that, or this many values, the oldest go
_MAX_WAITING_CELLS = 1 << 22
_MAX_ROWS = 16384  # of one segment, and:
_MAX_CELLS = 524288
_MAX_FILES = 512  # that nobody has collected
_WAKE_ROWS = 4096
_MAX_NAMES = 4096
_MAX_NAME = 200
_MAX_STEP = 1 << 53
_MAX_SPANS = 4096
_ALIASES = {"lr": "learning_rate", "grad_norm": "gradient_norm"}
_PARTS = ("data_ms", "host_to_device_ms", "forward_ms", "backward_ms", "wait_ms", "transfer_ms", "optimizer_ms")
# RANK late: where mpirun or horovodrun starts the processes, it is that of the node.
_RANKS = ("LOCKSTEP_METRICS_RANK", "OMPI_COMM_WORLD_RANK", "HOROVOD_RANK", "PMIX_RANK", "PMI_RANK", "RANK", "SLURM_PROCID")
_TF_TASKS = ("chief", "master", "worker", "ps", "evaluator")  # in the order in which their processes are numbered


# ---- The bytes of a segment


def _crc_table():
    table = list(range(256))
    for _ in range(8):
        table = [entry >> 1 ^ (0x82F63B78 if entry & 1 else 0) for entry in table]
    return table


_CRC_TABLE = _crc_table()


def _crc32c(data):
    crc, table = 0xFFFFFFFF, _CRC_TABLE
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def _varints(numbers):
    out = bytearray()
    for number in numbers:
        while number > 0x7F:
            out.append(number & 0x7F | 0x80)
            number >>= 7
        out.append(number)
    return out


def _axis(values):
    """Differences in the zigzag form; all values within 63 bits."""
    deltas = map(operator.sub, values, [0] + values[:-1])
    return _varints(delta << 1 ^ delta >> 63 for delta in deltas)


def _is_binary32(cells):
    """Whether no value would lose anything. A NaN differs from itself and is always exact."""
    return all(map(lambda a, b: a == b or a != a, cells, array("f", cells)))


def _column(name, indices, cells, rows):
    text, is_short = name.encode(), _is_binary32(cells)
    presence = bytearray()
    if len(cells) < rows:
        presence = bytearray((rows + 7) // 8)
        for row in indices:
            presence[row >> 3] |= 1 << (row & 7)
    head = _varints([len(text)]) + text + bytes([(1 if presence else 0) | (2 if is_short else 0)])
    return head + presence + struct.pack("<%d%s" % (len(cells), "f" if is_short else "d"), *cells)


def _encode(rank, number, rows):
    """`rows`: (step, nanoseconds, {name: float}), at least one."""
    columns = {}
    for index, (_, _, values) in enumerate(rows):
        for name, value in values.items():
            indices, cells = columns.setdefault(name, ([], []))
            indices.append(index)
            cells.append(value)
    out = bytearray(b"LSM\x1a\x01\0\0\0") + _varints([rank, number, len(rows), len(columns)])
    out += _axis([row[0] for row in rows]) + _axis([row[1] for row in rows])
    for name, (indices, cells) in columns.items():
        out += _column(name, indices, cells, len(rows))
    # Readers take no segment that needs more than 64 times its bytes of memory: 16 for each cell, absent ones too.
    least = (len(rows) * (len(columns) + 1) + 3) // 4
    out += bytes(max(0, least - len(out) - 4))
    return out + struct.pack("<I", _crc32c(out))


# ---- Values


def _number(value):
    """A float; or what becomes one later, of which asking now would wait for a GPU; or None: it is no number."""
    kind = type(value)
    try:
        if kind is float or kind is int or kind is bool:
            return float(value)
        if isinstance(value, (str, bytes, bytearray)) or hasattr(value, "full_tensor"):
            return None  # float("3") works; a tensor in parts on many ranks would have to be gathered
        if hasattr(value, "detach"):
            if value.numel() != 1:
                return None
            value = value.detach()
            # The copy, which waits for nothing either, keeps what the script overwrites in the next step.
            return float(value.item()) if value.device.type == "cpu" else value.reshape(()).clone()
        if kind.__module__.partition(".")[0] in ("jax", "jaxlib") or kind.__name__ == "EagerTensor":
            return value  # never changes
        return float(value.item() if hasattr(value, "item") else value)
    except Exception:  # whatever a foreign type raises
        return None


def _whole(step):
    """Raises what is no step."""
    if type(step) is not int:
        if getattr(step, "is_cuda", False):
            raise TypeError("asking would wait for the GPU")
        step = int(step) if isinstance(step, float) and step.is_integer() else operator.index(step)
    if abs(step) > _MAX_STEP:
        raise ValueError(step)
    return step


_streams = {}  # by device; only the thread that writes uses them


def _late_number(value):
    """The float of what _number() put off; its GPU is done with it. None: it is no number after all."""
    if type(value) is float:
        return value
    try:
        if not getattr(value, "is_cuda", False):
            return float(value.item() if hasattr(value, "item") else value)
        cuda = sys.modules["torch"].cuda
        if value.device not in _streams:
            _streams[value.device] = cuda.Stream(value.device)
        with cuda.stream(_streams[value.device]):  # on the script's own stream it would wait for all that is queued
            return float(value.item())
    except Exception:
        return None


def _mark(device=None):
    """Now, or on a GPU's device an event in its stream: what runs there runs later than it is called. None: not now."""
    if device is None:
        return time.perf_counter()
    cuda = sys.modules["torch"].cuda
    if cuda.is_current_stream_capturing():
        return None
    event = cuda.Event(enable_timing=True)
    event.record(cuda.current_stream(device))
    return event


class _Row:
    phases, spans, marks = {}, (), ()  # what most rows have; never changed

    def __init__(self, step, at, values, elapsed):
        self.step, self.time, self.values, self.elapsed = step, at, values, elapsed

    def is_ready(self):
        """Whether the GPUs are done with all that settle() asks for."""
        try:
            late = [value for value in self.values.values() if type(value) is not float]
            return all(mark.query() for mark in self.marks) and all(
                value.is_ready() for value in late if hasattr(value, "is_ready"))
        except Exception:
            return True  # a broken GPU is never going to be done

    def settle(self, is_ready):
        """From now on `values` are floats, phases included. Returns how many of them were none."""
        late = {name: _late_number(value) if is_ready or type(value) is float else None
                for name, value in self.values.items()}
        phases = dict(self.phases)
        for name, start, end in self.spans if is_ready else ():
            with contextlib.suppress(Exception):
                phases[name] = phases.get(name, 0.0) + start.elapsed_time(end)
        self.values = {**phases, **{name: value for name, value in late.items() if value is not None}}
        if phases and self.elapsed is not None and "step_ms" not in self.values:
            self.values["step_ms"] = self.elapsed
            parts = sum(self.values.get(part, 0.0) for part in _PARTS)
            self.values.setdefault("other_ms", self.elapsed - parts)
        self.phases, self.spans, self.marks = {}, (), ()  # so that doing it again changes nothing
        return sum(value is None for value in late.values())


# ---- Recording and writing


class _Recorder:
    """All that is recorded in this process. log() puts rows into a deque, whose ends are safe without a lock: so a signal
    handler that interrupts log() can still write what waits."""

    def __init__(self, folder, rank=None, step=-1):
        self.folder, self.rank, self.step = folder, rank, step
        self.rank_folder = self.own_folder = None
        self.number = 0  # of the next segment
        self.queue = collections.deque()
        self.names, self.phases, self.extra = {}, {}, {}
        self.spans = collections.deque(maxlen=_MAX_SPANS)  # a script that never logs would gather them for ever
        self.dropped_rows = self.dropped_told = self.dropped_values = 0
        self.cells = self.cells_written = 0  # the first counts those that log() took, less those that it dropped
        self.recorded, self.logged_at, self.last_moment = 0, None, None
        self.thread = None
        self.lock = threading.RLock()  # a signal handler may log while log() runs
        self.writing = threading.Lock()
        self.writing_thread, self.must_die = None, False
        self.wake = threading.Lock()  # as a semaphore: unlike an Event, a signal handler can do it no harm
        self.wake.acquire()

    def name_of(self, key):
        """The name under which `key` is kept; None: it cannot be one. For who holds the lock."""
        name = self.names.get(key)
        if name is None and isinstance(key, str) and 0 < len(key) <= _MAX_NAME and len(self.names) < _MAX_NAMES:
            with contextlib.suppress(UnicodeEncodeError):  # half of a surrogate pair
                key.encode()
                name = self.names[key] = _ALIASES.get(key, key)
        return name

    def record(self, step, given):
        """Raises what is wrong with `step`."""
        at, now, values, is_late = time.time_ns(), time.perf_counter(), {}, False
        numbers = [(key, value if type(value) is float else _number(value)) for key, value in given.items()]
        with self.lock:
            self.step = step = self.step + 1 if step is None else _whole(step)
            if self.extra:
                values, self.extra, is_late = self.extra, {}, True
            names = self.names
            for key, number in numbers:
                name = names.get(key) or self.name_of(key)
                if name is None or number is None:
                    self.dropped_values += 1
                    continue
                values[name] = number
                if type(number) is not float:
                    is_late = True
            row = _Row(step, at, values, None if self.logged_at is None else (now - self.logged_at) * 1000)
            self.logged_at = now
            if self.phases:
                row.phases, self.phases = self.phases, {}
            if self.spans:
                row.spans, self.spans = self.spans, collections.deque(maxlen=_MAX_SPANS)
            if is_late or row.spans:
                self._add_marks(row)
            row.size = len(values) + len(row.phases) + len(row.spans)
            if row.size:
                self._append(row)

    def _add_marks(self, row):
        """Events of GPUs: once they are done with those, the row can be settled."""
        devices = {value.device for value in row.values.values() if getattr(value, "is_cuda", False)}
        row.marks = [end for _, _, end in row.spans] + [mark for mark in map(_mark, devices) if mark is not None]

    def _append(self, row):
        self.queue.append(row)
        self.recorded += 1
        self.cells += row.size
        if len(self.queue) > _MAX_WAITING or self.cells - self.cells_written > _MAX_WAITING_CELLS:
            self._drop_oldest()
        if self.thread is None:
            self._start()
        if self.recorded % _WAKE_ROWS == 0:
            with contextlib.suppress(RuntimeError):  # is awake
                self.wake.release()

    def _drop_oldest(self):
        while len(self.queue) > _MAX_WAITING or self.cells - self.cells_written > _MAX_WAITING_CELLS:
            try:
                self.cells -= self.queue.popleft().size
                self.dropped_rows += 1
            except IndexError:  # the writer has them all
                break

    def _start(self):
        if self.rank is None:
            self.rank = _find_rank()
        self.rank_folder = os.path.join(self.folder, "rank-%05d" % self.rank)
        self.own_folder = os.path.join(self.rank_folder, "%d-%x" % (os.getpid(), time.time_ns()))
        _catch_sigterm()
        _flush_with_multiprocessing()
        thread = threading.Thread(target=self._run, name="lockstep", daemon=True)
        with contextlib.suppress(RuntimeError):  # no threads left, or the interpreter ends: flush() writes, too
            thread.start()
        self.thread = thread

    def _run(self):
        while True:
            self.wake.acquire(timeout=1.0)
            with contextlib.suppress(Exception):
                self.drain(time.monotonic() + 0.5, waits=False)

    def drain(self, deadline, waits=True, is_last=False):
        """Writes the rows that wait now. Where a GPU is not done with some, or the disk fails, tries again until `deadline`
        if it `waits`; if it `is_last` then writes what there is. False: not all of them are written."""
        if not self.writing.acquire(timeout=max(0.0, deadline - time.monotonic())):
            return False
        try:
            self.writing_thread = threading.get_ident()
            waiting, is_forced = len(self.queue), False
            while waiting > 0 and self.queue:
                count = self._write_segment(is_forced)
                waiting -= count
                if time.monotonic() >= deadline and waiting > 0:
                    if not is_last or is_forced:
                        return False
                    is_forced = True
                elif not count:
                    if not waits:
                        return False
                    time.sleep(0.01)
            return True
        finally:
            self.writing_thread = None
            self.writing.release()
            if self.must_die:
                _die()

    def _write_segment(self, is_forced):
        """Returns how many rows it took; 0: none could be written now."""
        if self.rank_folder is None or not self._has_room():
            return 0
        rows = self._take(is_forced)
        try:
            content = [(row.step, row.time, row.values) for row in rows if row.values]
            if content:
                dropped_rows = self.dropped_rows
                if dropped_rows != self.dropped_told:
                    step, at, values = content[-1]
                    content[-1] = (step, at, {**values, "dropped_rows": float(dropped_rows)})
                self._write_file(_encode(self.rank, self.number, content))
                self.number += 1
                self.dropped_told = dropped_rows
            self.cells_written += sum(row.size for row in rows)
            return len(rows)
        except BaseException as error:  # KeyboardInterrupt as well: no row goes
            self.queue.extendleft(reversed(rows))
            if isinstance(error, OSError):
                return 0
            raise

    def _take(self, is_forced):
        """The next rows of one segment, settled, from the queue."""
        rows, names = [], set()
        while len(rows) < _MAX_ROWS:
            try:
                row = self.queue.popleft()
            except IndexError:
                break
            is_ready = row.is_ready()
            if is_ready or is_forced:
                self.dropped_values += row.settle(is_ready)
                names.update(row.values)
                if not rows or (len(rows) + 1) * len(names) <= _MAX_CELLS:
                    rows.append(row)
                    continue
            self.queue.appendleft(row)
            break
        return rows

    def _has_room(self):
        try:
            for folder in (self.rank_folder, self.own_folder):  # not the one above: the agent takes that away at its end
                with contextlib.suppress(FileExistsError):
                    os.mkdir(folder)
            return sum(name.endswith(".lsm") for name in os.listdir(self.own_folder)) < _MAX_FILES
        except OSError:
            return False

    def _write_file(self, data):
        path = os.path.join(self.own_folder, "%010d.lsm" % self.number)
        with open(path + ".part", "wb") as file:
            file.write(data)
        os.replace(path + ".part", path)

    def measure(self, part, start, end):
        """Adds what lies between two marks to the next row."""
        if start is None or end is None or type(start) is not type(end):
            return
        with self.lock:
            name = self.name_of(part + "_ms")
            if name is None:
                self.dropped_values += 1
            elif isinstance(start, float):
                self.phases[name] = self.phases.get(name, 0.0) + (end - start) * 1000
            else:
                self.spans.append((name, start, end))


def _integer(text, default=None):
    text = str(text).strip()
    return int(text) if text.isascii() and text.isdigit() and int(text) <= 65535 else default


def _find_rank():
    for rank in (_integer(os.environ.get(name, "")) for name in _RANKS):
        if rank is not None:
            return rank
    try:
        config = json.loads(os.environ["TF_CONFIG"])
        before = _TF_TASKS[:_TF_TASKS.index(config["task"]["type"])]
        others = sum(len(config.get("cluster", {}).get(task, ())) for task in before)
        return _integer(others + int(config["task"]["index"]), 0)
    except Exception:  # whatever the variable holds
        return 0


# ---- The process


_UNKNOWN = object()
_current = _UNKNOWN  # the _Recorder; None: nothing is recorded
_opening = threading.Lock()
_sigterm_pipe = []  # its two ends
_of_parents = []  # never destroyed: a GPU must not be touched behind a fork, not even to free something


def _open():
    global _current
    with _opening:
        if _current is _UNKNOWN:
            folder = os.environ.get("LOCKSTEP_METRICS_FOLDER", "")
            usable = folder and os.path.isdir(folder) and os.access(folder, os.W_OK | os.X_OK)
            _current = _Recorder(os.path.abspath(folder)) if usable else None
    return _current


def _recorder():
    return _open() if _current is _UNKNOWN else _current


def _after_fork():
    """The child writes its own rows alone, into a folder of its own; the parent's are in the parent, too."""
    global _current, _opening
    _forget_sigterm()
    _opening = threading.Lock()
    if isinstance(_current, _Recorder):
        _of_parents.append(_current)
        _current = _Recorder(_current.folder, _current.rank, _current.step)


def _flush_at_end():
    """Two seconds at most, however often it is called."""
    if isinstance(_current, _Recorder):
        with contextlib.suppress(Exception):
            _current.last_moment = _current.last_moment or time.monotonic() + 2
            _current.drain(_current.last_moment, is_last=True)


def _flush_with_multiprocessing():
    """Its forked children end without atexit, but with what is registered there."""
    multiprocessing = sys.modules.get("multiprocessing")
    with contextlib.suppress(Exception):
        if multiprocessing and multiprocessing.parent_process():
            importlib.import_module("multiprocessing.util").Finalize(None, _flush_at_end, exitpriority=0)


def _die():
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGTERM)


def _on_sigterm(_signal, _frame):
    recorder = _current
    if isinstance(recorder, _Recorder):
        if recorder.writing_thread == threading.get_ident():
            recorder.must_die = True  # this very thread writes: it goes on to its end first
            return
        with contextlib.suppress(Exception):
            recorder.drain(time.monotonic() + 1, is_last=True)
    _die()


def _catch_sigterm():
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        with contextlib.suppress(Exception):
            signal.signal(signal.SIGTERM, _on_sigterm)
            _watch_sigterm()


def _watch_sigterm():
    """Python calls a handler only between two of its own instructions, which may be never: a rank that waits in a collective
    for a peer that is gone. What Python does at once is to write the signal's number into a pipe, if it is told one."""
    ctypes = importlib.import_module("ctypes")
    signal_of_c = ctypes.CDLL(None).signal
    signal_of_c.argtypes, signal_of_c.restype = (ctypes.c_int, ctypes.c_void_p), ctypes.c_void_p
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    if before != -1:  # somebody else's; an event loop that comes later takes ours, and then the handler has to do
        signal.set_wakeup_fd(before, warn_on_full_buffer=False)
        os.close(reading)
        os.close(writing)
        return
    _sigterm_pipe[:] = reading, writing
    arguments = (reading, functools.partial(signal_of_c, signal.SIGTERM, None))
    threading.Thread(target=_await_sigterm, args=arguments, name="lockstep-sigterm", daemon=True).start()


def _await_sigterm(reading, make_default):
    with contextlib.suppress(OSError):
        while signal.SIGTERM not in os.read(reading, 64):
            pass
        if signal.getsignal(signal.SIGTERM) is not _on_sigterm:
            return
        time.sleep(0.1)  # where Python can call the handler, that ends the process, and nothing is logged behind it
        if isinstance(_current, _Recorder):
            with contextlib.suppress(Exception):
                _current.drain(time.monotonic() + 1, is_last=True)
        make_default()  # only the main thread may ask Python for that
        os.kill(os.getpid(), signal.SIGTERM)


def _forget_sigterm():
    """In a forked child: its signals are not its parent's."""
    if _sigterm_pipe:
        with contextlib.suppress(Exception):
            signal.set_wakeup_fd(-1)
            for end in _sigterm_pipe:
                os.close(end)
    del _sigterm_pipe[:]
    with contextlib.suppress(Exception):
        if signal.getsignal(signal.SIGTERM) is _on_sigterm:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


atexit.register(_flush_at_end)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _quiet(function):
    """What stands in the way of no training: what it raises is not seen."""
    @functools.wraps(function)
    def wrapper(*arguments, **named):
        with contextlib.suppress(Exception):
            return function(*arguments, **named)
    return wrapper


# ---- What scripts call


def enabled():
    """Whether anything is recorded."""
    return _recorder() is not None


def log(*arguments, step=None, **values):
    """log(step, loss=…), log(step=…, loss=…), log({"loss": …}, step=…): records a row of values, which are numbers or
    tensors of one element. Without a step: one more than that of the row before, 0 at first. Steps are integers within
    ±2^53. What is no number, or has no name of 1 to 200 characters, is left out and counted by dropped(), and so is a row
    with another step. 4,096 names at most. `lr` is kept as `learning_rate` and `grad_norm` as `gradient_norm`."""
    recorder = _recorder()
    if recorder is None:
        return
    try:
        for argument in arguments:
            if type(argument) is dict or isinstance(argument, Mapping):
                values = {**argument, **values} if values else argument
            elif argument is not None:
                step = argument
        recorder.record(step, values)
    except Exception:  # a step that is none, and whatever else: the training goes on
        recorder.dropped_values += 1


def dropped():
    """How many values, and rows with a step that is none, could not be recorded in this process."""
    recorder = _recorder()
    return recorder.dropped_values if recorder else 0


def flush(timeout=2.0):
    """Waits until all that was recorded is written, `timeout` seconds at most. False: some of it is not."""
    recorder = _recorder()
    with contextlib.suppress(Exception):
        return recorder is None or recorder.drain(time.monotonic() + timeout)
    return False


_open_phases = threading.local()


class phase(contextlib.ContextDecorator):
    """`with phase("data"):`, or `@phase("data")` on a function: adds the wall time to `data_ms` of the next row. A phase
    inside another one of the same thread counts for the inner one alone."""

    def __init__(self, name):
        self.name, self._frames = name, []

    def _recreate_cm(self):
        return phase(self.name)

    def __enter__(self):
        if _recorder() is not None:
            frame = types.SimpleNamespace(inner=0.0, start=time.perf_counter())
            _open_phases.__dict__.setdefault("stack", []).append(frame)
            self._frames.append(frame)
        return self

    def __exit__(self, *_):
        recorder = _recorder()
        if recorder is not None and self._frames:
            end, frame, stack = time.perf_counter(), self._frames.pop(), _open_phases.__dict__.get("stack", [])
            with contextlib.suppress(ValueError):  # was entered by another thread
                stack.remove(frame)
            if stack:
                stack[-1].inner += end - frame.start
            with contextlib.suppress(Exception):
                recorder.measure(self.name, frame.start + frame.inner, end)
        return False


# ---- PyTorch


_watched = weakref.WeakKeyDictionary()  # models


def watch(model, optimizer=None, gradient_norm=True):
    """Measures a model of PyTorch from now on: each row has its forward_ms and backward_ms and, with an optimizer,
    optimizer_ms, learning_rate and gradient_norm; of a DistributedDataParallel also wait_ms. Returns `model`, and does
    nothing with what is no model."""
    torch = sys.modules.get("torch")
    try:
        if enabled() and torch is not None and isinstance(model, torch.nn.Module):
            if model not in _watched:
                _watched[model] = _Watch(torch, model, gradient_norm)
            if optimizer is not None and not hasattr(optimizer.step, "lockstep_watched"):
                _watched[model].wrap_step(optimizer)
    except Exception:  # a scripted module takes no hooks
        pass
    return model


def _device_of(tensors):
    """That of the first tensor if it is a GPU's, where times have to be asked of the GPU; else None."""
    first = next(iter(tensors), None)
    return first.device if getattr(first, "is_cuda", False) else None


def _tensors_in(outputs):
    if hasattr(outputs, "register_hook"):
        yield outputs
    elif isinstance(outputs, (Mapping, list, tuple)):
        for output in outputs.values() if isinstance(outputs, Mapping) else outputs:
            yield from _tensors_in(output)


@_quiet
def _gradient_norm(torch, optimizer):
    """A tensor that nobody has waited for; None: there is none, or the ranks have only parts of it."""
    groups = {}
    for gradient in (p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None):
        if gradient.is_sparse or hasattr(gradient, "full_tensor"):
            return None
        groups.setdefault((gradient.device, gradient.dtype), []).append(gradient.detach())
    each = getattr(torch, "_foreach_norm", lambda gradients: [torch.norm(one) for one in gradients])
    norms = [torch.norm(torch.stack(list(each(group))).float()) for group in groups.values()]
    if not norms:
        return None
    norm = norms[0] if len(norms) == 1 else torch.norm(torch.stack([one.to(norms[0].device) for one in norms]))
    scale = getattr(optimizer, "grad_scale", None)  # some optimizers take gradients that are still scaled
    return norm if scale is None else norm / scale


class _Hook:
    """Models are copied and saved with their hooks: in a copy this is a function of the standard library that does
    nothing, so that whoever loads the model needs no lockstep."""

    def __init__(self, function):
        self.function = function

    def __call__(self, *arguments):
        return self.function(*arguments)

    def __reduce__(self):
        return getattr, (contextlib.nullcontext(), "__exit__")


class _Watch:
    def __init__(self, torch, model, gradient_norm):
        self.torch, self.forward_start, self.backward_start = torch, None, None
        is_sharded = any(type(part).__name__ == "FullyShardedDataParallel" for part in model.modules())
        self.has_norm = gradient_norm and not is_sharded
        self.model = weakref.ref(model)
        # Of the gradients of the rank itself: which one was the last, which ones have been, and when the last of these was.
        self.newest, self.last_ones, self.local_end = None, set(), (None, None)
        if any(type(part).__name__ == "DistributedDataParallel" for part in model.modules()):
            for index, parameter in enumerate(p for p in model.parameters() if p.requires_grad):
                parameter.register_hook(_Hook(functools.partial(self.gradient_is_there, index)))
        model.register_forward_pre_hook(_Hook(self.before_forward))
        model.register_forward_hook(_Hook(self.after_forward))

    def mark(self):
        model = self.model()
        return _mark(_device_of(model.parameters() if model is not None else ()))

    def measure(self, part, start):
        recorder = _recorder()
        if recorder is not None and start is not None:
            recorder.measure(part, start, self.mark())

    @_quiet
    def before_forward(self, model, _inputs):
        self.backward_start = None
        self.forward_start = self.mark() if model.training and self.torch.is_grad_enabled() else None

    @_quiet
    def after_forward(self, _model, _inputs, outputs):
        if self.forward_start is not None:
            self.measure("forward", self.forward_start)
            self.forward_start = None
            for tensor in itertools.islice(_tensors_in(outputs), 16):
                if tensor.requires_grad and not tensor.is_leaf:  # a leaf would keep the hook for ever
                    tensor.register_hook(self.backward_begins)

    @_quiet
    def backward_begins(self, _gradient):
        if self.backward_start is None:
            self.backward_start, self.newest = self.mark(), None
            # Twice, so that it comes behind what DistributedDataParallel does at the end, which is queued meanwhile.
            queue = self.torch.autograd.Variable._execution_engine.queue_callback
            queue(_quiet(lambda: queue(self.backward_ends)))

    @_quiet
    def gradient_is_there(self, index, _gradient):
        self.newest = index
        if index in self.last_ones:  # a mark of each would cost too much
            self.local_end = index, self.mark()

    @_quiet
    def backward_ends(self):
        start, self.backward_start = self.backward_start, None
        last, end = self.local_end
        if start is not None and self.newest is not None and self.newest == last:
            recorder = _recorder()
            if recorder is not None:
                recorder.measure("backward", start, end)
            self.measure("wait", end)  # for the gradients of the other ranks
        else:
            self.last_ones.add(self.newest)
            self.measure("backward", start)
        self.local_end = None, None

    @_quiet
    def before_step(self, optimizer):
        self.backward_ends()  # if nothing else has told
        recorder = _recorder()
        if recorder is not None:
            with self.torch.no_grad():
                norm = _gradient_norm(self.torch, optimizer) if self.has_norm else None
            extra = {"learning_rate": optimizer.param_groups[0]["lr"], "gradient_norm": norm}
            numbers = {name: _number(value) for name, value in extra.items() if value is not None}
            with recorder.lock:
                recorder.extra.update({name: number for name, number in numbers.items() if number is not None})
        return self.mark()

    def wrap_step(self, optimizer):
        """A bound method again, as schedulers of the learning rate expect, which look at its attributes, too."""
        step = optimizer.step

        @functools.wraps(getattr(step, "__func__", step))
        def timed(_, *arguments, **named):
            # With a closure, the step runs forward and backward as well: it says nothing of the optimizer.
            has_closure = any(callable(one) for one in (*arguments, *named.values()))
            start = None if has_closure else self.before_step(optimizer)
            result = step(*arguments, **named)
            _quiet(self.measure)("optimizer", start)
            return result

        timed.lockstep_watched = True
        optimizer.step = types.MethodType(timed, optimizer)


# ---- Callbacks of frameworks


def _first_module(*names):
    """The one that the script uses already, else the first that is installed."""
    for name in sorted(names, key=lambda name: name.rpartition(".")[0] not in sys.modules):
        with contextlib.suppress(ImportError):
            return importlib.import_module(name)
    raise ImportError("none of these is installed: " + ", ".join(names))


class _Laps:
    """The parts of a step, one after the other: begin(), then end() of each."""

    def __init__(self):
        self.device = self.last = None

    @_quiet
    def begin(self, device=None):
        self.device, self.last = device, _mark(device)

    @_quiet
    def end(self, part):
        recorder, now = _recorder(), _mark(self.device)
        if recorder is not None and self.last is not None:
            recorder.measure(part, self.last, now)
        self.last = now


def _learning_rate(optimizers):
    return {"learning_rate": optimizers[0].param_groups[0]["lr"]} if optimizers else {}


def lightning_callback():
    """For the `callbacks` of a Trainer of Lightning. A row for each step of the optimizer, and one for each validation."""
    base = _first_module("lightning.pytorch.callbacks", "pytorch_lightning.callbacks").Callback

    class LockstepCallback(base):
        def __init__(self):
            super().__init__()
            self.waiting, self.computing, self.step, self.steps_optimizer = _Laps(), _Laps(), None, False

        @_quiet
        def on_train_start(self, trainer, *_):
            self.step, total = trainer.global_step, trainer.estimated_stepping_batches
            if trainer.is_global_zero and 0 < total < float("inf"):
                log(self.step, total_steps=total)

        def on_train_epoch_start(self, *_):
            self.waiting.begin()

        @_quiet
        def on_train_batch_start(self, _trainer, module, *_):
            self.waiting.end("data")
            self.computing.begin(_device_of(module.parameters()) if enabled() else None)

        def on_before_backward(self, *_):
            self.computing.end("forward")

        def on_after_backward(self, *_):
            self.computing.end("backward")

        def on_before_optimizer_step(self, *_):
            self.computing.begin(self.computing.device)
            self.steps_optimizer = True

        @_quiet
        def on_train_batch_end(self, trainer, _module, outputs, *_):
            if self.steps_optimizer:
                self.computing.end("optimizer")
            self.steps_optimizer = False
            self.waiting.begin()
            if trainer.global_step != self.step:  # else gradients are summed up first
                self.step = trainer.global_step
                loss = outputs.get("loss") if isinstance(outputs, Mapping) else outputs
                values = {} if loss is None else {"loss": loss}
                log({**values, "epoch": trainer.current_epoch, **_learning_rate(trainer.optimizers)}, step=self.step)

        @_quiet
        def on_validation_end(self, trainer, *_):
            if enabled() and not trainer.sanity_checking:
                log(dict(trainer.callback_metrics), step=trainer.global_step)
            self.waiting.begin()

    return LockstepCallback()


def huggingface_callback():
    """For the `callbacks` of a Trainer of transformers. A row for each step, and one for each time that it logs."""
    base = _first_module("transformers").TrainerCallback

    class LockstepCallback(base):
        def __init__(self):
            super().__init__()
            self.waiting = _Laps()

        @_quiet
        def on_train_begin(self, args, state, control, model=None, optimizer=None, **_):
            watch(model, optimizer, gradient_norm=False)  # the trainer logs the norm itself
            if state.is_world_process_zero and state.max_steps > 0:
                log(state.global_step, total_steps=state.max_steps)
            self.waiting.begin()

        def on_step_begin(self, *_, **__):
            self.waiting.end("data")

        def on_substep_end(self, *_, **__):
            self.waiting.begin()

        @_quiet
        def on_step_end(self, args, state, control, **_):
            log(state.global_step, epoch=state.epoch)
            self.waiting.begin()

        @_quiet
        def on_log(self, args, state, control, logs=None, **_):
            log({name: value for name, value in (logs or {}).items() if name != "epoch"}, step=state.global_step)

        def on_evaluate(self, *_, **__):
            self.waiting.begin()  # its values have come with on_log()

        def on_save(self, *_, **__):
            self.waiting.begin()

    return LockstepCallback()


def keras_callback():
    """For the `callbacks` of fit(). A row for each batch, and one for each epoch with its `val_` values. Keras tells the mean
    since the epoch began as the loss of a batch, and no parts of a step."""
    base = _first_module("keras.callbacks", "tensorflow.keras.callbacks").Callback

    class LockstepCallback(base):
        def __init__(self):
            super().__init__()
            self._supports_tf_logs = True  # else TensorFlow waits for the GPU to hand out numbers
            self.step, self.batch, self.began = 0, -1, None

        @_quiet
        def on_train_begin(self, logs=None):
            self.step = int(getattr(self.model.optimizer, "iterations", 0))

        @_quiet
        def on_epoch_begin(self, epoch, logs=None):
            self.batch, self.began = -1, None
            log(self.step, epoch=epoch, learning_rate=self.model.optimizer.learning_rate)

        @_quiet
        def on_train_batch_begin(self, batch, logs=None):
            if self.began is None:
                self.began = time.perf_counter()

        @_quiet
        def on_train_batch_end(self, batch, logs=None):
            now, count = time.perf_counter(), batch - self.batch  # several steps may be one execution
            values = {} if self.began is None or count < 1 else {"step_ms": (now - self.began) * 1000 / count}
            self.step, self.batch, self.began = self.step + count, batch, now
            log({**(logs or {}), **values}, step=self.step)

        @_quiet
        def on_epoch_end(self, epoch, logs=None):
            values = {name: value for name, value in (logs or {}).items() if name.startswith("val_")}
            if values:
                log(values, step=self.step)

    return LockstepCallback()
