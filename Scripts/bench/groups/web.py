"""Downloads from the page for phones, compared with nginx, which serves the same file."""
import json, os, urllib.request

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
    report.section(f"Downloads: {size / 2**20:.0f} MiB over loopback, curl to /dev/null",
                   ["program", "MB/s"], [[name, spread(values, "{:.0f}")] for name, values in rates.items()])
    report.mark("download / nginx", ratios(rates["hikeshare"], rates[Nginx.name]), least=0.8)
    bench.remove(folder, nginx.folder)
