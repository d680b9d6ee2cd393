"""Offers and uploads that lie: names, sizes, digests, tokens, sessions, and lists that are none."""

import json

from device import entry, gpx

NAMES = {
    "parent": "../escaped.gpx", "parents": "../../../../../../tmp/escaped.gpx", "absolute": "/tmp/escaped.gpx",
    "backslash": "..\\..\\escaped.gpx", "drive": "C:\\Windows\\escaped.gpx", "share": "\\\\host\\share\\escaped.gpx",
    "nul": "escaped.gpx\x00.jpg", "empty": "", "dot": ".", "dots": "..", "slash": "/", "spaces": "   ",
    "newline": "a\nb\r\nc.gpx", "escape": "\x1b]0;owned\x07\x1b[2J.gpx", "right to left": "evil\u202exgp.exe",
    "script": "<script>alert(1)</script>.gpx", "quotes": "“It’s” \"fine\"; rm -rf ~.gpx", "long": "x" * 4096 + ".gpx",
    "long unit": "\u0301" * 900 + ".gpx", "folder": "photos/2026/hut.gpx", "hidden": ".bashrc", "device": "CON",
    "colon": "a:b.gpx", "dash": "-rf.gpx", "percent": "%2e%2e%2fescaped.gpx", "surrogate": "\ud800.gpx",
    "emoji": "\U0001f3d4\ufe0f.gpx", "url": "http://10.77.0.9/x.gpx",
}


def told(report, step, case, answer, **more):
    report(step=step, case=case, status=answer.status, **more)


def names(device, options, report):
    """Offers a file of each name, and sends those that are taken.

    together: all at once, but for the name that makes the list none. Otherwise, one after the other.
    """
    wanted = list(NAMES.items())
    if options.how == "together":
        groups = [[one for one in wanted if one[0] != "surrogate"]]
    else:
        groups = [[one] for one in wanted]
    for group in groups:
        contents = {str(number): gpx(f"Point {case}") for number, (case, _) in enumerate(group)}
        files = {str(number): entry(number, name, contents[str(number)]) for number, (_, name) in enumerate(group)}
        answer = device.prepare(files)
        for number, (case, _) in enumerate(group):
            told(report, "names", case, answer, taken=str(number) in answer.json.get("files", {}))
        for file in answer.json.get("files", {}):
            sent = device.upload(answer.json, file, contents[file])
            told(report, "names", "sent " + group[int(file)][0], sent)


def offered(device, files, report, step):
    """Offers files, and returns what was agreed to."""
    answer = device.prepare(files)
    told(report, step, "offer", answer)
    return answer.json


def sizes(device, options, report):
    """Sends less and more than it announced, by the header, by the body, and by both."""
    content = gpx()
    lies = {
        "longer than announced": (content + b" " * 100_000, None),
        "shorter than announced": (content[:40], None),
        "ends before its length": (content[:40], len(content)),
        "goes on after its length": (content + b"x" * 9, len(content)),
        "negative": (content, -1),
        "not a number": (content, "many"),
        "two lengths": (content, f"{len(content)}\r\nContent-Length: 3"),
        "as announced": (content, None),
    }
    files = {str(number): entry(number, f"{number}.gpx", content, sha256=None) for number in range(len(lies))}
    agreement = offered(device, files, report, "sizes")
    for number, (case, (body, length)) in enumerate(lies.items()):
        hangs_up = case == "ends before its length"
        told(report, "sizes", case, device.upload(agreement, str(number), body, length, hangs_up=hangs_up))


def digests(device, options, report):
    """Sends other bytes than those of the digest, more often than anybody tries again."""
    content = gpx()
    files = {"0": entry(0, "a.gpx", content, sha256="0" * 64), "1": entry(1, "b.gpx", content)}
    agreement = offered(device, files, report, "digests")
    for attempt in range(5):
        told(report, "digests", f"wrong {attempt}", device.upload(agreement, "0", content))
    told(report, "digests", "right", device.upload(agreement, "1", content))


def tokens(device, options, report):
    """Uses tokens for other files, twice, and after the end."""
    content = gpx()
    agreement = offered(device, {str(number): entry(number, f"{number}.gpx", content) for number in range(2)}, report, "tokens")
    given = agreement.get("files", {})
    told(report, "tokens", "none", device.upload(agreement, "0", content, token="none"))
    told(report, "tokens", "of another file", device.upload(agreement, "0", content, token=given.get("1", "x")))
    told(report, "tokens", "of no file", device.upload(agreement, "7", content, token=given.get("1", "x")))
    told(report, "tokens", "right", device.upload(agreement, "0", content))
    told(report, "tokens", "again", device.upload(agreement, "0", content))
    told(report, "tokens", "the other", device.upload(agreement, "1", content))
    told(report, "tokens", "after the end", device.upload(agreement, "1", content))


def foreign(device, options, report):
    """Another device, at the same address and with another key, uses and cancels a session of the first."""
    content, thief = gpx(), device.another("thief")
    agreement = offered(device, {"0": entry(0, "a.gpx", content)}, report, "foreign")
    told(report, "foreign", "upload", thief.upload(agreement, "0", gpx("Stolen")))
    told(report, "foreign", "cancel", thief.ask(f"cancel?sessionId={agreement.get('sessionId')}"))
    told(report, "foreign", "cancel without session", thief.ask("cancel"))
    told(report, "foreign", "the owner", device.upload(agreement, "0", content))


def claims(device, options, report):
    """Asks under the fingerprint of another device, and in ways that nobody asks."""
    files = {"0": entry(0, "a.gpx", gpx())}
    told(report, "claims", "fingerprint of another", device.prepare(files, fingerprint="A" * 64))
    info = json.dumps(device.info(fingerprint="A" * 64)).encode()
    told(report, "claims", "register as another", device.ask("register", info))
    told(report, "claims", "upload without session", device.ask("upload", gpx()))
    told(report, "claims", "other path", device.ask("../../etc/passwd", method="GET"))
    told(report, "claims", "no such path", device.ask("prepare-download", b"{}"))
    told(report, "claims", "get", device.ask("prepare-upload", method="GET"))
    told(report, "claims", "info", device.ask("info", method="GET"))


def bombs(device, options, report):
    """Lists that are none, and such that grow."""
    info = json.dumps(device.info())

    def listed(files):
        return f'{{"info":{info},"files":{files}}}'.encode()

    def one(**changes):
        return json.dumps({"0": entry(0, "a.gpx", gpx(), **changes)})

    file = json.dumps(entry(0, "a.gpx", gpx()))
    many = ",".join(f'"{number}":{file}' for number in range(4_000))
    bodies = {
        "deep": b"[" * 900_000,
        "deep objects": b'{"a":' * 150_000,
        "open": b'{"info":',
        "empty": b"",
        "null": b"null",
        "not text": b"\xff\xfe" * 1000,
        "text": b'"' + b"a" * 900_000,
        "many files": listed("{" + many + "}"),
        "long number": listed(one(size="SIZE").replace('"SIZE"', "9" * 5000)),
        "huge size": listed(one(size=2**80)),
        "negative size": listed(one(size=-1)),
        "no size": listed(one(size=None)),
        "files that are numbers": listed('{"0":1,"1":[],"2":null}'),
        "no files": listed("{}"),
        "files is a list": listed(f"[{file}]"),
        "same key": listed(f'{{"0":{file},"0":{file}}}'),
        "no info": f'{{"files":{{"0":{file}}}}}'.encode(),
        "long key": listed('{"' + "k" * 500_000 + '":' + file + "}"),
        "too long": b" " * (40 << 20),
    }
    for case, body in bodies.items():
        told(report, "bombs", case, device.ask("prepare-upload", body))
