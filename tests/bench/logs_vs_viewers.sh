#!/bin/bash
# logs_vs_viewers.sh LOGS_BENCH [MEGABYTES] [ROUNDS] [FOLDER]: one drawn log of that size, indexed by Lockstep's engine, lnav and
# glogg in turns, and searched by Lockstep's and lnav's. Prints wall and processor seconds and the largest resident memory of
# each run. lnav runs without a display (-n); glogg has no such mode: its window is drawn offscreen, and its processor time
# is read until it stands still, less that for a file of one line. For its search it gets a display of its own, and the
# expression is typed. Wants lnav, glogg, python3, and Xvfb, openbox and xdotool.
set -euo pipefail
bench=$1 megabytes=${2:-1000} rounds=${3:-5} folder=${4:-$(mktemp -d)}
mkdir -p "$folder/home"
export HOME=$folder/home XDG_RUNTIME_DIR=$folder/home XDG_CONFIG_HOME=$folder/home QT_QPA_PLATFORM=offscreen TERM=xterm
log=$folder/drawn.log
[ -f "$log" ] || "$bench" draw "$log" "$megabytes"
echo "one line" > "$folder/one.log"
cat "$log" > /dev/null # into the system's cache, as far as it goes

# measured NAME COMMAND…
measured() {
  local name=$1
  shift
  python3 - "$name" "$@" <<'PY'
import os, subprocess, sys, time
begin = time.monotonic()
child = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, use = os.wait4(child.pid, 0)
print(f"{sys.argv[1]}\twall {time.monotonic() - begin:.2f}\tprocessor {use.ru_utime + use.ru_stime:.2f}\tMiB {use.ru_maxrss / 1024:.0f}\tstatus {status}", flush=True)
PY
}

# until_still NAME FILE: glogg on that file
until_still() {
  python3 - "$1" "$2" <<'PY'
import os, subprocess, sys, time
begin = time.monotonic()
child = subprocess.Popen(["glogg", "-n", "-m", sys.argv[2]], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
ticks, last, grown = os.sysconf("SC_CLK_TCK"), -1.0, begin
while time.monotonic() - grown < 4:
    time.sleep(0.05)
    fields = open(f"/proc/{child.pid}/stat").read().rsplit(")", 1)[1].split()
    now = (int(fields[11]) + int(fields[12])) / ticks
    if now > last:
        last, grown = now, time.monotonic()
peak = [line for line in open(f"/proc/{child.pid}/status") if line.startswith("VmHWM")][0].split()[1]
child.kill()
child.wait()
print(f"{sys.argv[1]}\twall {grown - begin:.2f}\tprocessor {last:.2f}\tMiB {int(peak) / 1024:.0f}", flush=True)
PY
}

# glogg_search NAME FILE EXPRESSION: what the search takes after the index is there
glogg_search() {
  xvfb-run -a -s '-screen 0 1200x800x24' python3 - "$@" <<'PY'
import os, subprocess, sys, time
name, file, expression = sys.argv[1:]
manager = subprocess.Popen(["openbox"], stderr=subprocess.DEVNULL)
child = subprocess.Popen(["glogg", "-n", "-m", file], env={**os.environ, "QT_QPA_PLATFORM": "xcb"}, stderr=subprocess.DEVNULL)
tick = 1 / os.sysconf("SC_CLK_TCK")

def processor():
    fields = open(f"/proc/{child.pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * tick

def until_still():
    last, grown = processor(), time.monotonic()
    while time.monotonic() - grown < 8:  # it may wait for the disk
        time.sleep(0.05)
        if processor() > last:
            last, grown = processor(), time.monotonic()
    return last, grown

def tell(*what):
    return subprocess.run(["xdotool", *what], check=True, capture_output=True, text=True).stdout.split()

until_still()
window = tell("search", "--sync", "--pid", str(child.pid), "--onlyvisible", "--name", "glogg")[0]
x, y, width, height = [int(one.split("=")[1]) for one in tell("getwindowgeometry", "--shell", window)[1:5]]
tell("mousemove", "--window", window, str(width // 2), str(height - 136), "click", "1")  # the field of the search
tell("type", "--delay", "20", expression)
before, begin = processor(), time.monotonic()
tell("key", "Return")
after, end = until_still()
picture = os.environ.get("GLOGG_PICTURE")
if picture:
    subprocess.run(["import", "-window", "root", picture], check=True)
child.kill()
manager.kill()
print(f"{name}\twall {end - begin:.2f}\tprocessor {after - before:.2f}", flush=True)
PY
}

for ((round = 0; round < rounds; ++round)); do
  measured "index lockstep, 1 thread" "$bench" index "$log" 1
  measured "index lockstep, 2 threads" "$bench" index "$log" 2
  measured "index lnav" lnav -n -q -c ';SELECT count(*) FROM all_logs' "$log"
  until_still "index glogg" "$log"
  until_still "start glogg" "$folder/one.log"
  measured "index and search lockstep, 1 thread" "$bench" search "$log" '/loss 0\.00[0-9]+/' 1
  glogg_search "search glogg" "$log" 'loss 0\.00[0-9]+'
  measured "index and search lnav" lnav -n -q -c ':filter-in loss 0\.00[0-9]+' "$log"
done
