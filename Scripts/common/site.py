#!/usr/bin/env python3
"""Completes the site that docc has merged from archives, and checks its links.

  site.py SITE START

START is the archive whose only page becomes the start page. The site then works below any path of a web server. Ends with 1 if a page
links to a page that is not there, or if the start page does not link to a guide.
"""
import json, pathlib, re, sys

START_PAGE = "doc://hikeshare/documentation"
REDIRECT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>hikeshare</title>
<meta http-equiv="refresh" content="0; url=documentation/"><a href="documentation/">The libraries of hikeshare</a>
"""


def install_start_page(site, start):
    """Puts the page of an archive where docc has put a list of the libraries."""
    text = (start / "data/documentation/libraries.json").read_text()
    text = text.replace("doc://Libraries/documentation/Libraries", START_PAGE).replace("/documentation/libraries", "/documentation")
    (site / "data/documentation.json").write_text(text)


def link_back(site):
    """Puts the start page above the page of each library. Deeper pages have links to that of their library."""
    abstract = json.loads((site / "data/documentation.json").read_text())["abstract"]
    reference = {
        "identifier": START_PAGE, "kind": "article", "type": "topic", "title": "hikeshare", "url": "/documentation", "abstract": abstract,
    }
    for path in (site / "data/documentation").glob("*.json"):
        page = json.loads(path.read_text())
        page["hierarchy"]["paths"] = [[START_PAGE]]
        page["references"][START_PAGE] = reference
        path.write_text(json.dumps(page))


def add_pages(site):
    """Makes a file for the address of each page. It finds the scripts and the data from where it is, wherever the site is."""
    template = (site / "index.html").read_text()
    for data in (site / "data").rglob("*.json"):
        folder = data.relative_to(site / "data").with_suffix("")
        root = "../" * len(folder.parts)
        text = template.replace('var baseUrl = "/"', f'var baseUrl = new URL("{root}", location.href).pathname')
        (site / folder).mkdir(parents=True, exist_ok=True)
        (site / folder / "index.html").write_text(re.sub(r'(href|src)="/', rf'\1="{root}', text))
    (site / "index.html").write_text(REDIRECT)


def failures(site):
    """What is wrong with the links of the site."""
    pages = {path.relative_to(site / "data").with_suffix("").as_posix() for path in (site / "data").rglob("*.json")}
    guides, linked = set(), set()
    for path in sorted((site / "data").rglob("*.json")):
        name = path.relative_to(site / "data").with_suffix("").as_posix()
        page = json.loads(path.read_text())
        if page["metadata"].get("role") == "article" and name != "documentation":
            guides.add(name)
        for reference in page["references"].values():
            url = reference.get("url", "")
            if url.startswith("/") and url[1:].partition("#")[0] not in pages:
                yield f"{name} links to {url}, which is not there."
            if name == "documentation":
                linked.add(url[1:])
            for variant in reference.get("variants", []):
                if not (site / variant["url"].lstrip("/")).exists():
                    yield f"{name} shows {variant['url']}, which is not there."
    yield from (f"The start page does not link to {guide}: see Docs/Libraries.docc." for guide in sorted(guides - linked))
    print(f"{len(pages)} pages, {len(guides)} guides", file=sys.stderr)


site, start = (pathlib.Path(argument) for argument in sys.argv[1:])
install_start_page(site, start)
link_back(site)
add_pages(site)
found = list(failures(site))
print(*found, sep="\n", file=sys.stderr)
sys.exit(1 if found else 0)
