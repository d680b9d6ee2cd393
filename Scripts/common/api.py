"""Compares the public declarations in symbol graphs with lists of them; see Scripts/api."""
import json, os, sys


def declarations(folder):
    """The public declarations of a library, one line each, as symbol graphs have them."""
    lines, graphs, names = set(), [], {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name)) as file:
            graphs.append(json.load(file))
    # A type of one graph may conform to a protocol in another.
    for graph in graphs:
        for symbol in graph["symbols"]:
            names[symbol["identifier"]["precise"]] = ".".join(symbol["pathComponents"])
    for graph in graphs:
        required = {r["source"] for r in graph["relationships"] if r["kind"] == "requirementOf"}
        defaulted = {r["target"] for r in graph["relationships"] if r["kind"] == "defaultImplementationOf"}
        for symbol in graph["symbols"]:
            identifier, path = symbol["identifier"]["precise"], ".".join(symbol["pathComponents"])
            text = "".join(part["spelling"] for part in symbol.get("declarationFragments", []))
            # Whoever adopts a protocol needs what it requires, unless there is a default.
            if identifier in required and identifier not in defaulted:
                text = "required " + text
            lines.add(f"{path}: {' '.join(text.split())}")
        for relation in graph["relationships"]:
            if relation["kind"] == "conformsTo" and relation["source"] in names:
                target = names.get(relation["target"]) or relation.get("targetFallback", relation["target"])
                # Every type conforms to these two, or not, as its parts do.
                if target.split(".")[-1] not in ("Copyable", "Escapable", "SendableMetatype"):
                    lines.add(f"{names[relation['source']]}: conforms to {target}")
    return lines


def read(path):
    """The lines of a file without comments and empty ones; empty if there is no file."""
    if not os.path.exists(path):
        return set()
    with open(path) as file:
        return {line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")}


def breaks(line, before):
    """Whether a declaration that is new can break a program: not if what it belongs to is new, too."""
    path, text = line.split(": ", 1)
    return text.startswith(("case ", "required ")) and any(old.startswith(path.rpartition(".")[0] + ": ") for old in before)


def main(graphs, folder, is_release):
    intended_path, problems, additions = os.path.join(folder, "intended.txt"), [], 0
    intended = read(intended_path)
    unused = set(intended)
    lists = {name.removesuffix(".txt") for name in os.listdir(folder) if name.endswith(".txt")} - {"intended"}
    libraries = set(os.listdir(graphs))
    if is_release:
        for library in lists - libraries:
            os.remove(os.path.join(folder, library + ".txt"))
    # A library that is gone has no declarations.
    for library in sorted(libraries if is_release else lists | libraries):
        now = declarations(os.path.join(graphs, library)) if library in libraries else set()
        path = os.path.join(folder, library + ".txt")
        if is_release:
            with open(path, "w") as file:
                file.writelines(line + "\n" for line in sorted(now))
            continue
        before = read(path)
        changes = [f"- {library} {line}" for line in before - now]
        changes += [f"+ {library} {line}" for line in now - before if breaks(line, before)]
        unused -= set(changes)
        problems += [change for change in changes if change not in intended]
        additions += sum(not breaks(line, before) for line in now - before)
    if is_release:
        with open(intended_path, "w") as file:
            file.write("# Changes since the last release that can break programs, as Scripts/api prints them, each after a comment that "
                       "says why.\n")
        return 0
    # An old excuse must not cover a later change.
    problems += [f"no longer: {line}" for line in unused]
    if problems:
        print("These changes can break programs that build with the last release. Undo them, or add the lines to "
              f"{intended_path} (and remove those that are “no longer”):", file=sys.stderr)
        print("\n".join(sorted(problems, key=lambda line: line[2:])))
        return 1
    print(f"The public declarations of the last release are there, and {additions} new ones.", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:] == ["--release"]))
