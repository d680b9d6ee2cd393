"""Reads the pixels of a PNG image as Chromium writes it: 8 bits, RGB or RGBA, not interlaced."""

import struct
import zlib


def pixels(data):
    """Returns the width, the height and the rows, each a list of (red, green, blue)."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    position, packed = 8, b""
    while position < len(data):
        length, kind = struct.unpack(">I4s", data[position:position + 8])
        body = data[position + 8:position + 8 + length]
        if kind == b"IHDR":
            width, height, depth, color, _, _, interlace = struct.unpack(">IIBBBBB", body)
            assert depth == 8 and color in (2, 6) and interlace == 0
        elif kind == b"IDAT":
            packed += body
        position += length + 12
    size = 4 if color == 6 else 3
    raw = zlib.decompress(packed)
    rows, above, stride = [], bytearray(width * size), width * size
    for index in range(height):
        start = index * (stride + 1)
        row = bytearray(raw[start + 1:start + 1 + stride])
        unfilter(raw[start], row, above, size)
        rows.append([tuple(row[x:x + 3]) for x in range(0, stride, size)])
        above = row
    return width, height, rows


def unfilter(kind, row, above, size):
    """Undoes the filter of a row in place."""
    for index in range(len(row)):
        left = row[index - size] if index >= size else 0
        up = above[index]
        corner = above[index - size] if index >= size else 0
        if kind == 1:
            row[index] = (row[index] + left) & 255
        elif kind == 2:
            row[index] = (row[index] + up) & 255
        elif kind == 3:
            row[index] = (row[index] + (left + up) // 2) & 255
        elif kind == 4:
            guess = left + up - corner
            distances = (abs(guess - left), abs(guess - up), abs(guess - corner))
            nearest = (left, up, corner)[distances.index(min(distances))]
            row[index] = (row[index] + nearest) & 255
