"""Files to send and to import."""
import math, os, random, struct, subprocess

from common import maps

AREA = maps.Area(16, 1.4, 42.4, 1.8, 42.7)
SPARSE_PAGE = 65536
# SQLite never uses the page that contains this byte.
LOCK_BYTE = 1 << 30


def same(one, other):
    return subprocess.run(["cmp", "-s", one, other], stdin=subprocess.DEVNULL).returncode == 0


def make_map(path, size, mean=20_000, page=maps.PAGE, name="bench"):
    """Makes a map of about so many bytes, with tiles of one length."""
    maps.make_map(path, name, AREA, [mean] * max(1, size // mean), random.SystemRandom(), page)


def make_sparse_map(path, size):
    """Makes a map of so many bytes in which nearly all pages are free, so that it takes hardly any space.

    SQLite does not read free pages. Only the lists of free pages are written, one for each GB.
    """
    make_map(path, 1 << 20, page=SPARSE_PAGE)
    with open(path, "r+b") as file:
        used, count = os.path.getsize(path) // SPARSE_PAGE, size // SPARSE_PAGE
        free = [page for page in range(used + 1, count + 1) if page != LOCK_BYTE // SPARSE_PAGE + 1]
        most = SPARSE_PAGE // 4 - 8
        trunks = [free[start:start + most + 1] for start in range(0, len(free), most + 1)]
        for index, (trunk, *leaves) in enumerate(trunks):
            following = trunks[index + 1][0] if index + 1 < len(trunks) else 0
            file.seek((trunk - 1) * SPARSE_PAGE)
            file.write(struct.pack(f">II{len(leaves)}I", following, len(leaves), *leaves))
        file.seek(28)
        file.write(struct.pack(">III", count, trunks[0][0], len(free)))
        file.truncate(count * SPARSE_PAGE)


def make_gpx(path, points):
    """Makes a recorded track with so many points, one each second, inside the area of the maps."""
    with open(path, "w") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="bench" '
                   'xmlns="http://www.topografix.com/GPX/1/1">\n<trk><name>Long way</name><trkseg>\n')
        for index in range(points):
            angle = index * 2 * math.pi / 20_000
            file.write(f'<trkpt lat="{42.55 + 0.1 * math.sin(angle):.7f}" lon="{1.6 + 0.15 * math.cos(angle * 1.01):.7f}">'
                       f"<ele>{2000 + 500 * math.sin(angle * 3):.1f}</ele>"
                       f"<time>2026-0{1 + index // 86400 % 9}-01T"
                       f"{index // 3600 % 24:02}:{index // 60 % 60:02}:{index % 60:02}Z</time></trkpt>\n")
        file.write("</trkseg></trk></gpx>\n")
