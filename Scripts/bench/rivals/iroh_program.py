"""iroh over loopback, without relays and discovery, through its library for Python: what Python takes is in each figure.

  iroh_program.py PROGRAM listen [--seconds S] [--warm S]
  iroh_program.py PROGRAM connect --to HOST:PORT --key ID [--outstanding N] [--seconds S] [--warm S]

echo: round trips of 64 B over one stream. requests: of 64 B, each over a stream of its own. stream: bytes in one direction.
"""
import argparse, asyncio, json, os, time

import iroh

NAME = b"hikeshare-bench"
MESSAGE = bytes(64)
PIECE = bytes(256 << 10)


def emit(**fields):
    print(json.dumps(fields), flush=True)


def percentiles(times, seconds):
    times.sort()
    at = lambda share: times[min(len(times) - 1, int(len(times) * share))] * 1e6
    emit(type="result", p50=at(0.5), p99=at(0.99), highest=at(1), rate=len(times) / seconds)


async def endpoint():
    return await iroh.Endpoint.bind(iroh.EndpointOptions(
        preset=iroh.preset_minimal(), relay_mode=iroh.RelayMode.disabled(), bind_addr="127.0.0.1:0", alpns=[NAME]))


async def echo(stream):
    while True:
        await stream.send().write_all(await stream.recv().read_exact(len(MESSAGE)))


async def answer(stream):
    asked = await stream.recv().read_to_end(1024)
    await stream.send().write_all(asked)
    await stream.send().finish()


async def count(stream, options):
    """Reads the bytes, after a time that does not count."""
    begin, end, total = time.monotonic() + options.warm, None, 0
    while end is None or time.monotonic() < end:
        length = len(await stream.recv().read(len(PIECE)))
        if end is None and time.monotonic() >= begin:
            begin, end = time.monotonic(), time.monotonic() + options.seconds
        elif end is not None:
            total += length
    emit(type="result", megabytes=total / (time.monotonic() - begin) / 1e6)


async def listen(options):
    here = await endpoint()
    emit(type="listening", port=int(here.bound_sockets()[0].rsplit(":", 1)[1]), key=str(here.id()))
    incoming = await here.accept_next()
    connection = await (await incoming.accept()).connect()
    tasks = set()
    while True:
        stream = await connection.accept_bi()
        if options.program == "stream":
            return await count(stream, options)
        task = asyncio.create_task(echo(stream) if options.program == "echo" else answer(stream))
        tasks.add(task)
        task.add_done_callback(tasks.discard)


async def times(trip, options):
    """Makes trips one after the other; returns how long each took, after a time that does not count."""
    begin = time.monotonic() + options.warm
    end, taken, now = begin + options.seconds, [], 0
    while now < end:
        sent = time.monotonic()
        assert await trip() == MESSAGE
        now = time.monotonic()
        if begin <= sent and now < end:
            taken.append(now - sent)
    return taken


async def connect(options):
    here = await endpoint()
    address = iroh.EndpointAddr(iroh.EndpointId.from_string(options.key), None, [options.to])
    connection = await here.connect(address, NAME)
    if options.program == "requests":
        async def ask():
            stream = await connection.open_bi()
            await stream.send().write_all(MESSAGE)
            await stream.send().finish()
            return await stream.recv().read_to_end(1024)
        done = await asyncio.gather(*(times(ask, options) for _ in range(options.outstanding)))
        return percentiles(sum(done, []), options.seconds)
    stream = await connection.open_bi()
    sending, receiving = stream.send(), stream.recv()
    if options.program == "echo":
        async def trip():
            await sending.write_all(MESSAGE)
            return await receiving.read_exact(len(MESSAGE))
        return percentiles(await times(trip, options), options.seconds)
    # Until the other side has counted enough and this program is ended.
    while True:
        await sending.write_all(PIECE)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", choices=["echo", "requests", "stream"])
    parser.add_argument("side", choices=["listen", "connect"])
    parser.add_argument("--to")
    parser.add_argument("--key")
    parser.add_argument("--outstanding", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--warm", type=float, default=0.5)
    options = parser.parse_args()
    asyncio.run((listen if options.side == "listen" else connect)(options))
    # The threads of the library do not end by themselves.
    os._exit(0)


if __name__ == "__main__":
    main()
