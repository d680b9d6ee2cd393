import FoundationEssentials
import PeerCore
package import RegionSharing
package import RegionStore

/// What is in a store.
extension Report where Self == PlainReport {
    /// The regions of a store, one a line; `isVerbose` adds ids, zoom levels and the days of the imports.
    package static func regions(_ regions: [RegionSummary], isVerbose: Bool = false) -> Self {
        let showsIDs = isVerbose || Set(regions.map { $0.name.lowercased() }).count < regions.count
        let rows = regions.map { region -> [DisplayText] in
            let id: [DisplayText] = showsIDs ? ["\(region.shortID)"] : []
            let dates: [DisplayText] =
                isVerbose ? ["\(Wording.zooms(region.zooms))", "\(Wording.day(region.addedAt))"] : []
            return [DisplayText(escaping: region.name)] + id + dates
                + ["\(Wording.size(region.fileSize))", "\(region.shortContents)"]
        }
        let text = rows.first.map { TextTable.render(rows, trailing: [$0.count - 2]) }
        return Self(lines: regions.map(\.json), text ?? "")
    }

    /// Everything about one region but its items, which may be many, and its transfers, which follow them.
    ///
    /// - Parameters:
    ///   - maker: Who has imported the map; nil if that is not known.
    ///   - sketch: The drawing of the area; empty for none.
    ///   - isVerbose: Whether the id, the tiles and the digest are shown.
    package static func details(
        of region: RegionSummary,
        maker: MapMaker? = nil,
        sketch: DisplayText = "",
        isVerbose: Bool = false
    ) -> Self {
        let facts = region.facts(maker: maker, isVerbose: isVerbose)
        return Self(region.json, [facts, sketch].filter { !$0.isEmpty }.joined(separator: "\n\n"))
    }

    /// The past transfers of a region.
    package static func history(_ history: [TransferHistoryEntry]) -> Self {
        let text = history.isEmpty ? "" : "\nTransfers\n" + TextTable.render(history.map { [""] + $0.row })
        return Self(lines: history.map(\.json), text)
    }

    /// The partially received files, one a line.
    package static func incoming(_ files: [IncomingFile]) -> Self {
        let header: [DisplayText] = ["NAME", "ID", "WHAT", "HERE", "OF", "LAST ARRIVAL"]
        let rows = files.map { file -> [DisplayText] in
            [
                DisplayText(escaping: file.regionName),
                "\(file.shortRegionID)",
                "\(file.kind.words)",
                "\(Wording.size(file.byteCount))",
                "\(Wording.size(file.size))",
                file.isArriving ? "now" : "\(Wording.time(file.lastArrival))",
            ]
        }
        let text = files.isEmpty ? "" : TextTable.render([header] + rows, trailing: [3, 4])
        return Self(lines: files.map { $0.json("incoming") }, text)
    }
}

extension RegionSummary {
    fileprivate func facts(maker: MapMaker?, isVerbose: Bool) -> DisplayText {
        let kind: DisplayText = foreign.map { "a \($0.format.title)" } ?? "\(Wording.zoomWords(zooms))"
        let date = edition.words.map { mapDate == nil ? ", \($0)" : ", of \($0)" } ?? ""
        var rows: [[DisplayText]] = [
            ["Area", hasArea ? "\(extent), \(Wording.bounds(boundingBox))" : "unknown"],
            ["Map", "\(Wording.size(mapSize)), \(kind)\(date)"],
        ]
        if let foreign { rows += [["File", "\(foreign.fileName)"], ["", "\(foreign.format.opensIn)"]] }
        if let part { rows.append(["", "a part: \(part.place)\(part.share)"]) }
        if let maker { rows.append(["", maker.words]) }
        if let routingSize { rows.append(["Routing", "\(Wording.size(routingSize))"]) }
        if photoCount > 0 { rows.append(["Photos", "\(photoCount), \(Wording.size(photoSize))"]) }
        if let attribution { rows.append(["Source", "\(attribution)"]) }
        rows.append(["Added", "\(Wording.day(addedAt))"])
        if isVerbose {
            let missing = plannedTileCount > tileCount ? " of \(plannedTileCount) planned" : ""
            let tiles: DisplayText = "\(tileCount)\(missing)\(format.map { ", \($0.rawValue)" } ?? "")"
            rows += [["Id", "\(id.uuidString)"], ["Tiles", tiles], ["Digest", "\(mapDigest.hex)"]]
        }
        return "\(name)\n" + TextTable.render(rows.map { [""] + $0 })
    }
}

extension TransferHistoryEntry {
    fileprivate var row: [DisplayText] {
        let words = direction == .sent ? "sent to" : "received from"
        let name = partner.displayName
        let who = [name.isEmpty ? nil : name, partner.id.map { "(\($0.short))" }].compactMap { $0 }
            .joined(separator: " ")
        return [
            "\(Wording.time(endedAt))",
            "\(words) \(who.isEmpty ? "an unknown machine" : who)",
            "\(Wording.size(byteCount))",
            outcome == .completed ? "completed" : "not completed",
        ]
    }
}

extension KeptFiles: Report {
    package var payloads: [JSONObject] { files.map { $0.json("kept") } }

    package var text: DisplayText { "\(words)\nTo resume:  \("hikeshare receive", .command)" }

    /// How much is kept.
    package var words: DisplayText {
        let parts: [DisplayText] = files.map {
            "\($0.kind.words), \(Wording.size($0.byteCount)) of \(Wording.size($0.size))"
        }
        return "The received part is kept (\(parts.joined(separator: "; ")))."
    }
}

extension IncomingFile {
    /// The unfinished file in JSON.
    func json(_ type: String) -> JSONObject {
        [
            "type": type,
            "regionID": regionID.uuidString,
            "regionName": regionName,
            "kind": kind.json,
            "digest": digest.hex,
            "bytes": byteCount,
            "size": size,
            "lastArrival": lastArrival,
            "isArriving": isArriving,
        ]
    }

    /// The start of the region's id, as lists show it.
    package var shortRegionID: String { String(regionID.uuidString.prefix(8)) }
}
