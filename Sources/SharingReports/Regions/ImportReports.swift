import FoundationEssentials
import PeerCore
package import RegionSharing
package import RegionStore
import Sentences
package import TrackFiles

extension ImportedMap: ObjectReport {
    package var json: JSONObject {
        let fields: JSONObject = [
            "type": "importedMap",
            "file": file,
            "region": stored.region.json,
            "isNew": stored.isNew,
            "isUpdate": stored.isUpdate,
            "addsToMap": stored.isPart,
            "routingImported": hasNewRouting,
            "hasKnownTiles": stored.hasKnownTiles,
            "strayTiles": stored.oddities.strays.count,
            "omittedEntries": stored.oddities.omitted.count,
            "emptyTiles": stored.oddities.emptyTileCount,
            "hasMisplacedBounds": stored.oddities.hasMisplacedBounds,
            "hasTurnedRows": stored.oddities.hasTurnedRows,
            "mayBeUpsideDown": stored.oddities.mayBeUpsideDown,
        ]
        return fields.with(stored.isUpdate || stored.union != nil ? change.json(on: stored.changedRoutes) : nil)
    }

    package var text: DisplayText { text(typed: true) }

    /// What is in the store now, and what is odd about the file; `typed` says whether it may name commands.
    package func text(typed: Bool) -> DisplayText {
        let warnings = warnings(typed: typed)
        let region = stored.region
        let what: DisplayText = "\(region.extent), \(Wording.size(region.mapSize))"
        let routing: DisplayText = hasNewRouting ? ", with routing" : ""
        if stored.isUpdate {
            let items: DisplayText = region.hasItems ? "; kept: \(region.itemWords)" : ""
            let tiles: DisplayText = change.words(on: stored.changedRoutes).map { "; \($0)" } ?? ""
            let hasNothing = stored.union?.isNothing == true
            let lead: DisplayText =
                hasNothing
                ? "No tile of the part is newer than the map of"
                : stored.isPart ? "Added a part to the map of" : "New map of"
            return "\(lead) \(region.name): \(what)\(tiles)\(routing)\(items)\(warnings)"
        }
        guard stored.isNew else {
            let have: DisplayText =
                stored.isPart ? "You already have all tiles of this part" : "You already have this map"
            return
                "\(have): \(region.name)\(stored.union?.keptWords ?? "")\(routing)\(ownName(typed: typed))\(warnings)"
        }
        return "Imported \(region.name): \(what)\(routing)\(warnings)"
    }

    private var change: MapChange { MapChange(difference: stored.difference, union: stored.union) }

    /// The note if the region keeps its name although the person has given another one.
    private func ownName(typed: Bool) -> DisplayText {
        let region = stored.region
        guard let givenName, givenName != region.name else { return "" }
        let advice: DisplayText = "To change the name:  \("hikeshare rename \(region.typed) NAME", .command)"
        return typed ? "\nIt keeps its name. \(advice)" : "\nIt keeps its name."
    }

    private func warnings(typed: Bool) -> DisplayText {
        let oddities = stored.oddities
        var warnings: [DisplayText] = []
        if !stored.hasKnownTiles {
            warnings.append(
                """
                the first tiles are not PNG, JPEG, WebP or vector tiles, so the map may appear blank. \
                To check, open the file in the program that created it.
                """
            )
        }
        if let example = oddities.strays.example {
            let rows = Wording.count(oddities.strays.count, "row")
            warnings.append(
                "\(rows) of the file are not tiles: no zoom level has such a position (the first: \(example)). "
                    + "They are left out."
            )
        }
        if let example = oddities.omitted.example {
            warnings.append("left out: \(Wording.count(oddities.omitted.count, "tile")). The first: \(example).")
        }
        if oddities.emptyTileCount > 0 {
            warnings.append("\(Wording.count(oddities.emptyTileCount, "tile")) without data will appear blank.")
        }
        if oddities.hasTurnedRows {
            warnings.append(
                """
                the rows of the file are numbered from the north, but MBTiles files number them from the south. They \
                were turned, so that the map is in the area that the file states. The file itself is unchanged.
                """
            )
        }
        if oddities.mayBeUpsideDown {
            let what: DisplayText =
                "the file says that its rows are inverted (inverted_y). They were read from the north, as OsmAnd does."
            warnings.append(
                !typed
                    ? what
                    : """
                    \(what) If the \
                    map is on the wrong side of the equator, turn the rows in a copy of the file, and import the copy:
                      \("sqlite3 COPY.sqlitedb 'UPDATE tiles SET y = (1 << 17 - z) - 1 - y; UPDATE info SET inverted_y = 0'", .command)
                    In a file whose tilenumbering is simple, write z instead of 17 - z.
                    """
            )
        }
        if oddities.hasMisplacedBounds {
            warnings.append(
                """
                the file states another area than that of its tiles. The area of the tiles counts. If the map appears \
                in the wrong place, its rows are numbered in the wrong direction.
                """
            )
        }
        return warnings.map { "\nWarning: \($0)" as DisplayText }.joined(separator: "")
    }
}

extension ImportedForeignMap: ObjectReport {
    package var json: JSONObject {
        [
            "type": "importedForeign",
            "file": file,
            "region": stored.region.json,
            "isNew": stored.isNew,
            "isUpdate": stored.isUpdate,
        ]
    }

    package var text: DisplayText {
        let region = stored.region
        guard stored.isNew || stored.isUpdate, let foreign = region.foreign else {
            return "You already have this map: \(region.name)"
        }
        let items: DisplayText = stored.isUpdate && region.hasItems ? "; kept: \(region.itemWords)" : ""
        return """
            \(stored.isUpdate ? "New map of" : "Imported") \(region.name): \(foreign.format.title), \(region.extent), \
            \(Wording.size(region.mapSize))\(items). \(foreign.format.opensIn).
            """
    }
}

extension ImportedPhoto: ObjectReport {
    package var json: JSONObject {
        [
            "type": "importedPhoto",
            "file": file,
            "regionID": region.id.uuidString,
            "waypointID": waypointID.uuidString,
            "label": label,
            "isNew": isNew,
        ]
    }

    package var text: DisplayText {
        isNew ? "To \(region.name): \(file) as the photo of \(DisplayText(quoting: label))" : "Nothing new in \(file)"
    }
}

extension LeftOutFile {
    /// Why the file was left out; nil if that is plain.
    fileprivate var reason: String? {
        switch why {
        case .declined: nil
        case .unknown(let reason): reason
        case .photo(candidates: 0): "shows no waypoint"
        case .photo: "may show several waypoints"
        }
    }
}

extension Report where Self == PlainReport {
    /// The files that an import has left out; the text names ten of them.
    package static func leftOut(_ files: [LeftOutFile]) -> Self {
        let words = files.prefix(10).map { $0.path + ($0.reason.map { " (\($0))" } ?? "") }
        let more = files.count > words.count ? " and \(Wording.count(files.count - words.count, "other file"))" : ""
        return Self(
            lines: files.map { ["type": "leftOut", "file": $0.path, "reason": $0.reason] },
            "Left out: \(DisplayText(escaping: words.joined(separator: ", ") + more))"
        )
    }
}

extension ImportedRouting: ObjectReport {
    package var json: JSONObject {
        [
            "type": "importedRouting",
            "file": file,
            "regionID": region.id.uuidString,
            "regionName": region.name,
            "isNew": isNew,
        ]
    }

    package var text: DisplayText { isNew ? "To \(region.name): routing" : "Nothing new in \(file)" }
}

extension ImportedTracks: ObjectReport {
    package var json: JSONObject {
        [
            "type": "importedGPX",
            "file": file,
            "regionID": imported.region.id.uuidString,
            "regionName": imported.region.name,
            "hikes": imported.hikes,
            "plannedRoutes": imported.plannedRoutes,
            "waypoints": imported.waypoints,
            "leftOut": imported.leftOut.isEmpty ? nil : imported.leftOut,
            "pointsAtZero": imported.pointsAtZero == 0 ? nil : imported.pointsAtZero,
            "damage": imported.damage?.rawValue,
            "outside": imported.outside.isEmpty ? nil : imported.outside,
        ]
    }

    package var text: DisplayText { text(typed: true) }

    /// What is in the store now, and what is not; `typed` says whether it may name commands.
    package func text(typed: Bool) -> DisplayText {
        let outside = outside(typed: typed)
        guard kinds.contains(where: { $0.1.total > $0.1.unchanged }) else {
            let place: DisplayText = isOneOfSeveral ? " for \(imported.region.name)" : ""
            return (["Nothing new in \(file)\(place)"] + [outside].compactMap { $0 }).joined(separator: "\n")
        }
        let parts = kinds.filter { $0.1.total > 0 }.map { kind, counts -> String in
            guard counts.added < counts.total else { return kind.words(count: counts.total) }
            let words = [
                counts.added > 0 ? "\(counts.added) added" : nil,
                counts.updated > 0 ? "\(counts.updated) updated" : nil,
                counts.unchanged > 0 ? "\(counts.unchanged) already there" : nil,
                counts.keptLocal > 0 ? "\(counts.keptLocal) kept with your edits" : nil,
            ].compactMap { $0 }
            return "\(kind.words(count: counts.total)) (\(words.joined(separator: ", ")))"
        }
        let items =
            "To \(imported.region.name): \(parts.joined(separator: ", "))" as DisplayText
        return ([items] + [outside, leftOut, kept(typed: typed), atZero(typed: typed)].compactMap { $0 }).joined(
            separator: "\n"
        )
    }

    private static let shownNames = 5

    private func outside(typed: Bool) -> DisplayText? {
        guard !imported.outside.isEmpty else { return nil }
        let names = imported.outside.prefix(Self.shownNames).map { DisplayText(quoting: $0) }.joined(separator: ", ")
        let more = imported.outside.count - Self.shownNames
        let others: DisplayText = more > 0 ? " and \(Wording.count(more, "other"))" : ""
        let remedy: DisplayText =
            !imported.elsewhere.isEmpty
            ? " Import a map of that area, then this file again."
            : !typed
                ? ""
                : " To add the whole file to one region:  \("hikeshare import FILE --region \(imported.region.typed)", .command)"
        return "On none of your maps, so left out of \(file): \(names)\(others).\(remedy)"
    }

    /// The warning about a file that may be incomplete.
    package static func damaged(_ file: String, _ damage: TrackFileDamage) -> ProblemReport {
        ProblemReport(CommandError(.unknownFile, "\(file) \(damage.words) The rest was imported."), severity: .warning)
    }

    private var leftOut: DisplayText? {
        // What a file says of itself is nothing that a person misses.
        let words = imported.leftOut.filter { !$0.hasPrefix("the file's own ") }.map { DisplayText(escaping: $0) }
        return words.isEmpty ? nil : "Left out of \(file): \(words.joined(separator: ", "))"
    }

    private var kinds: [(ResourceKind, MergeCounts)] {
        [(.savedroutes, imported.hikes), (.plannedroutes, imported.plannedRoutes), (.waypoints, imported.waypoints)]
    }

    private func kept(typed: Bool) -> DisplayText? {
        guard let kind = kinds.last(where: { $0.1.keptLocal > 0 })?.0, let option = KindWords.of(kind)?.itemOption
        else {
            return nil
        }
        guard typed else { return "Your versions stay, because they were edited after \(file) was exported." }
        return """
            Your versions stay, because they were edited after \(file) was exported. To import a version of the file, remove yours \
            with 'hikeshare remove \(imported.region.typed) \(option) NAME', then import the file again.
            """
    }

    private func atZero(typed: Bool) -> DisplayText? {
        let count = imported.pointsAtZero
        guard count > 0 else { return nil }
        let (verb, subject, object) = count == 1 ? ("is", "it is", "it") : ("are", "they are", "them")
        let what: DisplayText =
            """
            \(Wording.count(count, "point")) of \(file) \(verb) at 0° N, 0° E, where programs put points whose position they do not \
            know.
            """
        guard typed else { return what }
        return """
            \(what) If \(subject) wrong, run 'hikeshare open \(imported.region.typed)', delete \(object), save the region as GPX, and \
            import that file.
            """
    }

    /// The warning about a file that is outside the area of the region that the person chose for it.
    package static func outsideArea(_ file: String, _ imported: GPXImport) -> ProblemReport {
        let region = imported.region.name
        let message: Sentence =
            imported.pointsInArea == 0
            ? "\(file) is outside the area of “\(region)”. It was imported because you chose that region."
            : """
            Only \(imported.pointsInArea) of the \(imported.pointCount) points of \(file) are in the area of “\(region)”. It was \
            imported because you chose that region.
            """
        return ProblemReport(CommandError(.outsideArea, message), severity: .warning)
    }
}
