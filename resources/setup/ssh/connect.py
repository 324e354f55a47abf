# SPDX-License-Identifier: GPL-3.0-or-later
# WORD NUMBER,ADDRESS,PORT ...: connects to all of them at once and prints of each NUMBER how it went.
import socket, sys, threading
def reach(address, port):
    try: c = socket.create_connection((address, int(port)), 4)
    except socket.gaierror: return "unresolved", ""
    except ConnectionRefusedError: return "refused", ""
    except (socket.timeout, TimeoutError): return "silent", ""
    except OSError: return "no-route", ""
    try:
        c.settimeout(3)
        return "open", c.makefile(errors="replace").readline(100).strip()
    except OSError: return "open", ""
def one(target):
    number, address, port = target.split(",")
    how, said = reach(address, port)
    sys.stdout.write("lockstep:%s=%s %s\n" % (number, how, "greeted" if said == sys.argv[1] else "mute"))
threads = [threading.Thread(target=one, args=(t,)) for t in sys.argv[2:]]
for t in threads: t.start()
for t in threads: t.join()
