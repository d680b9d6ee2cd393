"""Maps into a store on a disk: received, compared with cp and fsync and with bare C; imported, compared with cp and SHA-256."""
import os, shutil

from bench.rivals import bare
from bench.figures import ratios, spread
from bench.files import make_map, same
from bench.hikeshare import check_arrived, store_of, transfer
from bench.processes import Process, seconds_of
from common.processes import Failure, note


def copy(source, target):
    """The seconds of a copy, until it is on the disk."""
    process = Process(["sh", "-c", 'cp "$1" "$2" && sync "$2"', "copy", source, target])
    process.expect_success()
    return process.ended - process.began


def copy_and_hash(source, target):
    """The seconds of a copy until it is on the disk, and of one pass of SHA-256 over it."""
    script = 'cp "$1" "$2" && sync "$2" && openssl dgst -sha256 "$2" >/dev/null'
    process = Process(["sh", "-c", script, "copy", source, target])
    process.expect_success()
    return process.ended - process.began


def measure(bench, report):
    folder = bench.folder("disk")
    source, sending = os.path.join(folder, "source.mbtiles"), os.path.join(folder, "sending")
    make_map(source, bench.mib << 20)
    store_of(bench, sending, source)
    size = os.path.getsize(source) / 1e6
    target, receiving = os.path.join(bench.disk, "target"), os.path.join(bench.disk, "receiving")
    programs = [case(bench, source) for case in bare.TLS]
    for case in programs:
        case.target = target
        case.prepare()
    rates = {"cp + fsync": [], "hikeshare TLS": [], **{case.name: [] for case in programs}}
    imports, copies = [], []
    bench.warm(disk=True)
    for number in range(bench.rounds):
        note(f"disk: round {number + 1} of {bench.rounds}")
        rates["cp + fsync"].append(size / copy(source, target))
        if not same(source, target):
            raise Failure("cp: the copy differs from the source")
        os.unlink(target)
        rates["hikeshare TLS"].append(size / transfer(bench, sending, receiving).seconds)
        check_arrived(source, receiving)
        shutil.rmtree(receiving)
        for case in programs:
            rates[case.name].append(size / case.measure().seconds)
        copies.append(size / copy_and_hash(source, target))
        os.unlink(target)
        imports.append(size / seconds_of([bench.binary, "import", source, "--store", receiving, "--quiet"]))
        check_arrived(source, receiving, "import")
        shutil.rmtree(receiving)
    report.section(f"Onto the disk, {size / 1e3:.2f} GB, in turns", ["what", "MB/s"],
                   [[name, spread(values, "{:.0f}")] for name, values in
                    [*rates.items(), ("cp + sync + SHA-256", copies), ("hikeshare import", imports)]])
    best = [max(round) for round in zip(*(rates[case.name] for case in programs))]
    report.mark("store on disk, hikeshare TLS / cp + fsync", ratios(rates["hikeshare TLS"], rates["cp + fsync"]), least=0.9,
                bare=ratios(best, rates["cp + fsync"]))
    report.mark("store on disk, hikeshare TLS / the best bare C", ratios(rates["hikeshare TLS"], best), least=0.95)
    report.mark("import on disk / cp + sync + SHA-256", ratios(imports, copies), least=0.9)
    bench.remove(folder, *(case.folder for case in programs), bench.folder("bare"))
