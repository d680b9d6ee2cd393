"""The sentences in the sources: which they are, and what translators are told of them."""

import pathlib
import re

import lexer
import terminal
from message import Message

ROOT = pathlib.Path(__file__).resolve().parents[2]
WEB = "Sources/CMapAssets/Web/"
SCRIPTS = ["words.js", "Share/*.js", "Map/*.js", "Tools/*.js", "Plan/*.js", "Vector/*.js"]
PAGES = ["Share/share.html", "Map/map.html"]
SWIFT = [
    "Sources/Sentences/*.swift",
    "Sources/MapPages/Share/*.swift",
    "Sources/MapPages/*.swift",
    "Sources/MapPages/Data/*.swift",
    "Sources/MapPages/Picture/*.swift",
    "Sources/MapPages/Sheet/*.swift",
    "Sources/PhoneSharing/UploadDecider.swift",
    "Sources/SharingReports/Words/Phones/PhoneTurn+Words.swift",
    "Sources/RegionStore/Downloads/RegionDownloads.swift",
    "Sources/WebServer/*/*.swift",
]
# Where the sentences of the terminal and the window are. Languages may lack them, until all of them are whole sentences.
TERMINAL = ["SharingReports", "HikeShareCommands", "SharingWindow"]
# Texts of libraries, which know nothing of languages: each of a property. Pages look them up when they are shown.
PROPERTIES = [
    ("Sources/RegionModel/Items/WaypointCategory.swift", "displayName", str),
    ("Sources/RegionModel/ForeignFormat.swift", "title", lambda text: text[:1].upper() + text[1:]),
    ("Sources/RegionModel/ForeignFormat.swift", "opensIn", str),
]
# Files whose sentences are said by scripts, although they are written in Swift.
SAID_BY_SCRIPTS = {"PageItems.swift", "RegionJSON.swift", "OfflinePage.swift"}

NOTES = {
    "Map": "The title of the page while it is loaded, and the name of the picture of the map.",
    "Custom": "A kind of waypoint: any other place.",
    "Danger": "A kind of waypoint.",
    "Food": "A kind of waypoint: a place with food.",
    "Water": "A kind of waypoint: drinking water.",
    "Shelter": "A kind of waypoint: a hut or another shelter.",
    "Parking": "A kind of waypoint: a car park.",
    "Viewpoint": "A kind of waypoint: a viewpoint or summit.",
    "Campsite": "A kind of waypoint.",
    "Trail Marker": "A kind of waypoint: a sign or mark of the trail.",
    "Send": "A button: sends the chosen files to the laptop.",
    "Back": "A link to the page before.",
    "Place": "The title of what is known of a place on the map, such as its coordinates.",
    "Search": "In the empty field for a search.",
    "hike": "A word that a person may type into the search.",
    "route": "A word that a person may type into the search.",
    "photo": "A fact about a waypoint: it has a photo.",
    "nothing personal in it": "Nothing in the file concerns a person.",
    "personal in it: {parts}": "{parts}: for example “2 recorded hikes with times, notes”.",
    "comments": "Part of a list of what concerns a person in a file.",
    "times": "Part of the details of a photo: when it was taken.",
    "places": "Part of the details of a photo: where it was taken.",
    "cameras": "Part of the details of a photo.",
    "{low} to {high}": "Zoom levels (12 to 15) or heights (1200 m to 1650 m).",
    "{list} and {last}": "The end of a list.",
    "{list}, {next}": "A list that is not at its end.",
    "zoom {words}": "One zoom level of the map: zoom 14.",
    "zooms {words}": "Several zoom levels of the map: zooms 12 to 15.",
    "{height} at {distance}": "The height of a point of a profile, and its distance from the start.",
    "Done": "A button that ends what a tool of the map does.",
    "Undo": "A button that takes back the last point.",
    "{title}: all": "For screen readers: the box that shows all hikes, all routes or all waypoints on the map.",
    "{descent} down": "The metres that a route goes down.",
    "{ascent} up": "The metres that a route goes up.",
    "{place}th": "Completes “Your download is {place}.”: 10th, 11th and so on.",
    "{place}st": "Completes “Your download is {place}.”: 21st, 31st and so on.",
    "{place}nd": "Completes “Your download is {place}.”: 22nd, 32nd and so on.",
    "{place}rd": "Completes “Your download is {place}.”: 23rd, 33rd and so on.",
    "Language": "For screen readers: the name of the list of languages.",
    "on the map": "Beside a box: what it shows is on the map.",
    "Stop": "A button: stops sending a file.",
    "waits for the files before it": "The state of a file that will be sent later.",
    "is being made …": "The state of a file that can be downloaded soon.",
    "is being made: load this page again": "The state of a file that can be downloaded soon.",
    "About {elevation}, as {mark}": "{mark}: the name of a place nearby, whose height is known.",
    "a route here": "Completes “About {elevation}, as {mark}”: a route without a name.",
    "from {startTime} to {endTime}": "Dates with times.",
    "The tiles of the map are larger than when they were counted.": "A rare error.",
    "English": "The name of your language, in your language.",
    "times of {items}": "{items}: routes, or waypoints, or both. When each was made or changed.",
    "Clear": "A button: removes all places of the route that is planned.",
    "Save": "A button: saves the route that was planned.",
    "Name": "Above the field for the name of a route.",
    "Way {number}": "One of several ways to the same place.",
    "Walk back to here": "A button at the start of a route: makes it a round trip.",
    "{length} on tracks": "Tracks for farm and forest vehicles. {length}: 1.2 km.",
    "{length} on footways": "Ways made for people on foot, mostly in towns. {length}: 1.2 km.",
    "{length} on via ferratas": "Protected climbing routes. {length}: 1.2 km.",
    "{length} on other ways": "{length}: 1.2 km.",
    "{length} on paths": "{length}: 1.2 km.",
    "T1, hiking": "A grade of the Swiss Alpine Club's scale, which also exists in German, French and Italian.",
    "Hardest part, {distance}: {grade}": "{grade}: for example “T3, demanding mountain hiking; the path is hard to see”.",
    "map {size}": "The size of a map, beside its name.",
}
APP = "The names of menus and buttons are those that the app has in your language."
SETTINGS = "The words in quotation marks and those after “choose” and “tap” are those that the phone shows in your language."


def messages():
    """Returns all sentences, in the order in which translators get them."""
    found = {}
    for pattern in PAGES:
        add(found, pattern, lexer.html, is_script=pattern.startswith("Map/"))
    for pattern in SCRIPTS:
        add(found, pattern, lexer.script, is_script=True)
    for pattern in SWIFT:
        for path in sorted(ROOT.glob(pattern)):
            is_script = path.name in SAID_BY_SCRIPTS
            keep(found, path, lexer.swift(path.read_text(encoding="utf-8")), is_script)
    for name, property, change in PROPERTIES:
        path = ROOT / name
        texts = [change(text) for text in lexer.texts_of_property(path.read_text(encoding="utf-8"), property)]
        keep(found, path, [Message([text], []) for text in texts], True)
    for message in terminal_messages():
        known = found.setdefault(message.key, message)
        known.is_terminal = known is message
        known.references += [name for name in message.references if name not in known.references]
        known.notes += [note for note in message.notes if note not in known.notes]
    for message in found.values():
        note = NOTES.get(message.singular)
        if note is None and re.search("→|choose OsmAnd|Guru Maps\\.|paid version", message.singular):
            note = APP
        if note is None and "choose Keep" in message.singular or "choose Yes" in message.singular:
            note = SETTINGS
        if note and note not in message.notes:
            message.notes.insert(0, note)
    return list(found.values())


def terminal_messages():
    """Returns the sentences of the terminal and the window."""
    found = {}
    for folder in TERMINAL:
        for path in sorted((ROOT / "Sources" / folder).rglob("*.swift")):
            keep(found, path, terminal.swift(path.read_text(encoding="utf-8")), False)
    return found.values()


def add(found, pattern, lex, is_script):
    for path in sorted((ROOT / WEB).glob(pattern)):
        keep(found, path, lex(path.read_text(encoding="utf-8")), is_script)


def keep(found, path, messages, is_script):
    for message in messages:
        known = found.setdefault(message.key, message)
        known.is_script = known.is_script or is_script
        name = str(path.relative_to(ROOT))
        if name not in known.references:
            known.references.append(name)
        known.notes += [note for note in message.notes if note not in known.notes]
