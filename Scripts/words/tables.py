"""The tables that are compiled into the program."""

import json
import struct

import po
import sources

FOLDER = sources.ROOT / "Sources/CTranslations"
TABLES = FOLDER / "Tables"
# The part of the sentences of pages that a language must have to be offered, in percent.
LEAST = 70
CODE = """\
#include "CTranslations.h"

// Scripts/words makes this file and the tables of the PO files.
#pragma clang diagnostic ignored "-Wc23-extensions"
"""


def files(messages):
    """Returns all files, by their paths."""
    made, tags = {}, []
    for path in po.languages():
        known = po.read(path)
        texts = {message.key: (message, forms) for message in messages if (forms := po.translation(message, known))}
        pages = [message for message in messages if not message.is_terminal]
        if sum(message.key in texts for message in pages) * 100 < LEAST * len(pages):
            continue
        tags.append(path.stem)
        terminal = [message for message in messages if message.is_terminal]
        has_terminal = sum(message.key in texts for message in terminal) * 100 >= LEAST * len(terminal)
        made[TABLES / f"{path.stem}.table"] = table(texts, known.plurals, has_terminal)
        made[TABLES / f"{path.stem}.json"] = script(texts, known.plurals)
    made[FOLDER / "CTranslations.c"] = code(tags).encode()
    return made


def unneeded():
    tags = {path.stem for path in files(sources.messages()) if path.parent == TABLES}
    return [path for path in TABLES.glob("*") if path.stem not in tags]


def table(texts, plurals, has_terminal):
    entries = {hash_of(""): plurals}
    if has_terminal:
        entries[hash_of("\1")] = "yes"
    for key, (message, forms) in texts.items():
        value = "\0".join(message.positions(form).replace("{", "\1{") for form in forms)
        for index in range(len(message.names)):
            value = value.replace("\1{" + str(index) + "}", "\1" + str(index))
        number = hash_of(key)
        if number in entries:
            raise SystemExit(f"two sentences have the same hash: {key}")
        entries[number] = value
    hashes = sorted(entries)
    contents = [entries[number].encode() for number in hashes]
    offsets = [0]
    for content in contents:
        offsets.append(offsets[-1] + len(content))
    head = struct.pack(f"<Q{len(hashes)}Q{len(offsets)}I", len(hashes), *hashes, *offsets)
    return head + b"".join(contents)


def hash_of(key):
    number = 0xCBF29CE484222325
    for byte in key.encode():
        number = ((number ^ byte) * 0x100000001B3) % (1 << 64)
    return number


def script(texts, plurals):
    values = {"": plurals}
    for key, (message, forms) in texts.items():
        if message.is_script:
            said = [message.positions(form) for form in forms]
            values[key] = said if message.plural else said[0]
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return text.replace("<", "\\u003c").encode()


def code(tags):
    text = CODE
    for tag in tags:
        for kind, suffix in [("table", "table"), ("script", "json")]:
            text += f'\nstatic const unsigned char {tag}_{kind}[] = {{\n#embed "Tables/{tag}.{suffix}"\n}};\n'
    text += "\nstatic const CTranslation translations[] = {\n"
    # C has no empty arrays.
    for tag in tags or ["en"]:
        values = f"{tag}_table, sizeof {tag}_table, {tag}_script, sizeof {tag}_script" if tags else '(const unsigned char *)"", 0, (const unsigned char *)"", 0'
        text += f'    {{"{tag}", {values}}},\n'
    text += "};\n\n"
    text += f"ptrdiff_t ctranslations_count(void) {{ return {len(tags)}; }}\n\n"
    text += "const CTranslation *ctranslations_get(ptrdiff_t index) { return &translations[index]; }\n"
    return text
