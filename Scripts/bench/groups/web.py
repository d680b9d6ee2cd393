"""Downloads from the page for phones, compared with nginx, which serves the same file."""
import json, os, socket, subprocess, time, urllib.parse, urllib.request
from statistics import median

from bench.figures import ratios, spread
from bench.files import make_map, same
from bench.hikeshare import Sender, store_of
from bench.processes import Process, free_port, measure as measure_program, wait_listening
from common.processes import Failure, note, wait_until

# As Debian's package sets it, but in the foreground, without logs, and with one process for each processor.
NGINX = """
daemon off; worker_processes auto; pid {folder}/pid; error_log {folder}/errors;
events {{ worker_connections 768; }}
http {{
  access_log off; sendfile on; tcp_nopush on; types_hash_max_size 2048;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{ listen 127.0.0.1:{port}; root {root}; }}
}}
"""


class Nginx:
    name = "nginx"

    def __init__(self, bench, source):
        self.folder, self.port = bench.folder("nginx"), free_port()
        configuration = os.path.join(self.folder, "nginx.conf")
        with open(configuration, "w") as file:
            # The usual user of its processes may not read the folder.
            file.write("user root;" + NGINX.format(folder=self.folder, port=self.port, root=os.path.dirname(source)))
        self.url = f"http://127.0.0.1:{self.port}/{os.path.basename(source)}"
        self.process = Process(["nginx", "-c", configuration, "-e", os.path.join(self.folder, "errors")])

    def __enter__(self):
        wait_listening(self.port, self.process)
        return self

    def __exit__(self, *_):
        self.process.kill()


def is_complete(page):
    """Whether all files of a page are made."""
    with urllib.request.urlopen(page + "share.json") as answer:
        return all("size" in file or "problem" in file for file in json.load(answer)["files"])


PHONES = 30
# The connections that a browser keeps open.
CONNECTIONS = 6


def phone(number):
    """The address of a phone, on loopback."""
    return f"127.0.1.{number + 1}"


def page_time(page, number):
    """The milliseconds that the page takes in a new browser."""
    parts = urllib.parse.urlsplit(page)
    began = time.monotonic()
    with socket.create_connection((parts.hostname, parts.port), source_address=(phone(number), 0)) as connection:
        connection.sendall(f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    if not answer.startswith(b"HTTP/1.1 200 "):
        raise Failure(f"the page is not served: {answer[:60]}")
    return (time.monotonic() - began) * 1000


def waiting_connections(page):
    """Connections of all phones that have had the page and wait for their next request."""
    parts = urllib.parse.urlsplit(page)
    connections = []
    for number in range(PHONES):
        for _ in range(CONNECTIONS):
            connection = socket.create_connection((parts.hostname, parts.port), source_address=(phone(number), 0))
            connection.sendall(f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode())
            connection.recv(65536)
            connections.append(connection)
    return connections


def measure_phones(report, sender, page, url, source):
    """Thirty phones at once: how long the page takes beside them, how fair the downloads are, how much memory they need."""
    connections = waiting_connections(page)
    beside_waiting = [page_time(page, PHONES) for _ in range(5)]
    for connection in connections:
        connection.close()
    script = 'curl --silent --fail --interface "$0" --write-out "%{stderr}%{time_total}" "$1" | cmp - "$2"'
    downloads = [subprocess.Popen(["bash", "-o", "pipefail", "-c", script, phone(number), url, source],
                                  stderr=subprocess.PIPE, text=True) for number in range(PHONES)]
    beside_downloads = []
    while any(download.poll() is None for download in downloads):
        beside_downloads.append(page_time(page, PHONES))
        time.sleep(0.2)
    times = []
    for download in downloads:
        said = download.communicate()[1]
        if download.returncode:
            raise Failure(f"a download of {PHONES} at once failed: {said}")
        times.append(float(said))
    with open(f"/proc/{sender.process.pid}/status") as status:
        peak = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM")) / 1e6
    size = os.path.getsize(source)
    report.section(f"{PHONES} phones at once: {size / 2**20:.0f} MiB each over loopback", ["what", "value"], [
        [f"page in a new browser, beside {PHONES * CONNECTIONS} waiting connections, ms", spread(beside_waiting, "{:.1f}")],
        ["page in a new browser, beside the downloads, ms", spread(beside_downloads or [0], "{:.0f}")],
        ["time of a download, s", spread(times)],
        ["all downloads together, MB/s", f"{PHONES * size / max(times) / 1e6:.0f}"],
        ["most memory of the sender, MB", f"{peak:.0f}"],
    ])
    report.mark("slowest of 30 downloads / median", [max(times) / median(times)], most=2)
    report.mark("most memory of the sender with 30 phones", [peak], most=64, unit="MB", form="{:.0f}")


def measure(bench, report):
    folder = bench.folder("web")
    source, store, target = (os.path.join(folder, name) for name in ("bench.mbtiles", "store", "downloaded"))
    make_map(source, bench.mib << 20)
    store_of(bench, store, source)
    size = os.path.getsize(source)
    rates = {"hikeshare": [], Nginx.name: []}
    with Sender(bench, store, "bench", "--no-discovery", "--web", "--web-port", "0") as sender, Nginx(bench, source) as nginx:
        page = next(url for url in sender.wait("webPage")["urls"] if "//127.0.0.1:" in url)
        # The other files are made meanwhile.
        wait_until("the files of the page are made", lambda: is_complete(page), limit=300, pause=0.1)
        urls = {"hikeshare": page + "files/bench.mbtiles", Nginx.name: nginx.url}
        for name, url in urls.items():
            measure_program(["curl", "--silent", "--fail", "--output", target, url])
            if not same(source, target):
                raise Failure(f"{name}: the downloaded map differs from the source")
            bench.remove(target)
        for number in range(bench.rounds):
            for name, url in urls.items():
                note(f"web: round {number + 1} of {bench.rounds}, {name}")
                seconds, _ = measure_program(["curl", "--silent", "--fail", "--output", "/dev/null", url])
                rates[name].append(size / seconds / 1e6)
        note(f"web: {PHONES} phones at once")
        measure_phones(report, sender, page, urls["hikeshare"], source)
    report.section(f"Downloads: {size / 2**20:.0f} MiB over loopback, curl to /dev/null",
                   ["program", "MB/s"], [[name, spread(values, "{:.0f}")] for name, values in rates.items()])
    report.mark("download / nginx", ratios(rates["hikeshare"], rates[Nginx.name]), least=0.8)
    bench.remove(folder, nginx.folder)
