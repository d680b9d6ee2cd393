#!/usr/bin/env python3
"""Forwards every frame between two network devices with a delay in each direction.

  delay.py DEVICE DEVICE MILLISECONDS

Scripts/hosts uses it for --delay, because not every kernel has tc netem. It manages about 100 Mbit/s.
"""
import collections, select, signal, socket, sys, time

# Constants of Linux that the socket module does not have.
ETH_P_ALL = 3
SO_RCVBUFFORCE = 33
SOL_PACKET, PACKET_ADD_MEMBERSHIP, PACKET_MR_PROMISC = 263, 1, 1
PACKET_OUTGOING = 4
# Frames are sent this much early, so that one call of select serves several.
TOLERANCE = 0.00005
MOST_AT_ONCE = 64


def open_device(name):
    """A socket that receives every frame of a device."""
    device = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    device.bind((name, ETH_P_ALL))
    device.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 8 << 20)
    membership = socket.if_nametoindex(name).to_bytes(4, "little") + bytes([PACKET_MR_PROMISC, 0, 0, 0]) + bytes(8)
    device.setsockopt(SOL_PACKET, PACKET_ADD_MEMBERSHIP, membership)
    device.setblocking(False)
    return device


def read_frames(device):
    """The frames that have arrived at a device, at most so many that the other device is not kept waiting."""
    for _ in range(MOST_AT_ONCE):
        try:
            frame, address = device.recvfrom(65536)
        except OSError:
            return
        if address[2] != PACKET_OUTGOING:
            yield frame


def forward(devices, delay):
    waiting = collections.deque()
    while True:
        timeout = max(0.0, waiting[0][0] - time.monotonic()) if waiting else None
        for device in select.select(devices, (), (), timeout)[0]:
            other = devices[1] if device is devices[0] else devices[0]
            for frame in read_frames(device):
                waiting.append((time.monotonic() + delay, other, frame))
        now = time.monotonic() + TOLERANCE
        while waiting and waiting[0][0] <= now:
            _, device, frame = waiting.popleft()
            try:
                device.send(frame)
            except OSError:
                # As on a cable, a frame that cannot be sent is lost.
                pass


signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
*names, milliseconds = sys.argv[1:]
sockets = [open_device(name) for name in names]
print("ready", flush=True)
forward(sockets, float(milliseconds) / 1000)
