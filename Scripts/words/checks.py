"""What must be true of the template, the PO files and the tables."""

import re
import unicodedata

import po
import sources
import tables

# What is the same in all languages: names of programs, formats and commands.
NAMES = [
    "hikeshare", "OsmAnd", "Locus Map", "Guru Maps", "AlpineQuest", "Organic Maps", "OruxMaps", "Cruiser", "c:geo", "Garmin",
    "Mapsforge", "Leaflet", "MapLibre", "JavaScript", "WebGL 2", "Chrome", "Firefox", "Safari", "Debian", "Ubuntu", "GPX",
    "KML", "KMZ", "GeoJSON", "TCX", "FIT", "MBTiles", "PMTiles", "PDF", ".sqlitedb", ".gpkg", ".obf", ".map", ".img", ".mwm",
]
ENDS = ".:…?!"


def problems(messages):
    found = []
    if not po.TEMPLATE.exists() or po.TEMPLATE.read_text(encoding="utf-8") != po.template(messages):
        found.append(f"{po.TEMPLATE}: the sources have other sentences. Run: python3 Scripts/words update")
    for path in po.languages():
        known = po.read(path)
        if known.header.count("Plural-Forms:") != 1:
            found.append(f"{path}: its header has no Plural-Forms")
            continue
        wanted = {message.singular: message for message in messages}
        is_complete = known.field("X-Complete") == "yes"
        for english, forms in known.texts.items():
            if english not in wanted:
                found.append(f"{path}: no source has this sentence any more: {english}")
            elif any(forms):
                found += [f"{path}: {english}: {problem}" for problem in of_entry(wanted[english], forms, known)]
        if is_complete:
            missing = [
                english
                for english, message in wanted.items()
                if not message.is_terminal and not po.translation(message, known)
            ]
            found += [f"{path}: not translated: {english}" for english in missing]
    for path, content in tables.files(messages).items():
        if not path.exists() or path.read_bytes() != content:
            found.append(f"{path}: it is not made of the PO files as they are. Run: python3 Scripts/words make")
    return found + [f"{path}: nothing needs it" for path in tables.unneeded()]


def of_entry(message, forms, known):
    count = known.form_count if message.plural else 1
    if len(forms) != count:
        yield f"{len(forms)} forms, and not {count}"
    for form in forms:
        if form:
            yield from of_form(message, form)


def of_form(message, form):
    english = message.singular
    places = sorted(re.findall(r"\{(.*?)\}", form))
    if places != sorted(message.names):
        yield f"its places are {places}, and not {sorted(message.names)}"
    if form.strip() != form or ("  " in form and "  " not in english) or "\n" in form:
        yield "it has spaces where the English sentence has none"
    if re.search("[<>]", form) and not message.is_terminal:
        yield "it has angle brackets"
    if any(unicodedata.category(character) in ("Cc", "Cf") for character in form):
        yield "it has invisible characters"
    last, other = english[-1:], form[-1:]
    if (last in ENDS or other in ENDS) and last != other and english[-2:] not in (".)",):
        yield f"it ends with “{other}”, and not with “{last}”"
    for name in NAMES:
        if re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", english) and name not in form:
            yield f"“{name}” is missing"
