# SPDX-License-Identifier: GPL-3.0-or-later
# PORT WORD SECONDS: listens at PORT and at a port of its own choice, and greets whoever connects with WORD, which nobody
# else knows. Listens before it goes into the background, so whoever connects afterwards meets it. Prints its process
# and the port of its own choice, or what is wrong. The same as listen.pl.
import errno, os, select, socket, sys, time
port, word, end = int(sys.argv[1]), sys.argv[2].encode() + b"\n", time.time() + float(sys.argv[3])
def listening(kind, number):
    s = socket.socket(kind)
    if kind == socket.AF_INET6: s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.bind(("", number))
    s.listen(128)
    return s
def listen(number):
    try: return listening(socket.AF_INET6, number)
    except OSError as e:
        if e.errno == errno.EADDRINUSE: raise
    return listening(socket.AF_INET, number)
try: named = listen(port)
except OSError as e:
    print("lockstep:trouble=" + e.strerror)
    sys.exit()
sockets = [named, listen(0)]
child = os.fork()
if child:
    print("lockstep:process=%d" % child)
    print("lockstep:any=%d" % sockets[1].getsockname()[1])
    sys.exit()
os.setsid()
nothing = os.open(os.devnull, os.O_RDWR)
for stream in (0, 1, 2): os.dup2(nothing, stream)
while time.time() < end:
    for s in select.select(sockets, [], [], max(0, end - time.time()))[0]:
        try:
            c = s.accept()[0]
            c.settimeout(1)
            c.sendall(word)
            c.close()
        except OSError: pass
