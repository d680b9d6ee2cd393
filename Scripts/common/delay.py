#!/usr/bin/env python3
"""delay.py DEV1 DEV2 MS: passes every frame between two devices, each direction MS milliseconds late.
Stands in for tc netem, which not every kernel has. Good for about 100 Mbit/s. Used by hosts --delay."""
import collections, select, signal, socket, sys, time

signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
d1, d2, ms = sys.argv[1], sys.argv[2], float(sys.argv[3])
OUTGOING = 4
s = []
for d in (d1, d2):
    x = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    x.bind((d, 3))
    x.setsockopt(socket.SOL_SOCKET, 33, 8 << 20)        # SO_RCVBUFFORCE
    x.setsockopt(263, 1, int.to_bytes(socket.if_nametoindex(d), 4, "little") + b"\1\0\0\0" + bytes(8))  # promiscuous
    x.setblocking(False)
    s.append(x)
late, q = ms / 1000, collections.deque()
now = time.monotonic
print("ready", flush=True)
while True:
    try:
        r = select.select(s, (), (), max(0.0, q[0][0] - now()) if q else None)[0]
    except InterruptedError:
        continue
    for x in r:
        y = s[1] if x is s[0] else s[0]
        for _ in range(64):
            try:
                f, a = x.recvfrom(65536)
            except BlockingIOError:
                break
            except OSError:
                break
            if a[2] != OUTGOING:
                q.append((now() + late, y, f))
    t = now() + 0.00005
    while q and q[0][0] <= t:
        _, y, f = q.popleft()
        try:
            y.send(f)
        except OSError:
            pass
