import FoundationEssentials
import PeerCore
package import RegionSharing
package import RegionStore

/// The regions of a store, one for each line.
package struct RegionListReport: Report {
    package var regions: [RegionSummary]
    /// Whether ids, zoom levels and the days of the imports are shown.
    package var isVerbose = false

    /// Creates the value.
    package init(regions: [RegionSummary], isVerbose: Bool = false) {
        self.regions = regions
        self.isVerbose = isVerbose
    }

    package var payloads: [JSONObject] { regions.map(\.json) }

    package var text: DisplayText {
        guard !regions.isEmpty else { return "" }
        let showsIDs = isVerbose || Set(regions.map { $0.name.lowercased() }).count < regions.count
        let rows = regions.map { region -> [DisplayText] in
            let id: [DisplayText] = showsIDs ? ["\(region.shortID)"] : []
            let dates: [DisplayText] =
                isVerbose ? ["\(Wording.zooms(region.zooms))", "\(Wording.day(region.addedAt))"] : []
            return [DisplayText(escaping: region.name)] + id + dates
                + ["\(Wording.size(region.fileSize))", "\(region.shortContents)"]
        }
        return Table.render(rows, trailing: [rows[0].count - 2])
    }
}

/// Everything about one region but its items, which may be many.
///
/// Its transfers are shown after the items (``RegionHistoryReport``).
package struct RegionDetailReport: Report {
    package var region: RegionSummary
    /// Who has imported the map; nil if that is not known.
    package var maker: MapMaker?
    /// The drawing of the area; empty if there is none.
    package var sketch: DisplayText = ""
    /// Whether the id, the tiles and the digest are shown.
    package var isVerbose = false

    /// Creates the value.
    package init(region: RegionSummary, maker: MapMaker? = nil, sketch: DisplayText = "", isVerbose: Bool = false) {
        self.region = region
        self.maker = maker
        self.sketch = sketch
        self.isVerbose = isVerbose
    }

    package var payloads: [JSONObject] { [region.json] }

    package var text: DisplayText {
        [facts, sketch].filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    private var facts: DisplayText {
        let date = region.edition.words.map { region.mapDate == nil ? ", \($0)" : ", of \($0)" } ?? ""
        var rows: [[DisplayText]] = [
            ["Area", region.hasArea ? "\(region.extent), \(Wording.bounds(region.boundingBox))" : "unknown"],
            ["Map", "\(Wording.size(region.mapSize)), \(kind)\(date)"],
        ]
        if let sealed = region.sealed {
            rows += [["File", "\(sealed.fileName)"], ["", "\(sealed.format.opensIn)"]]
        }
        if let part = region.part { rows.append(["", "a part: \(part.place)\(part.share)"]) }
        if let maker { rows.append(["", maker.words]) }
        if let size = region.routingSize { rows.append(["Routing", "\(Wording.size(size))"]) }
        if region.photoCount > 0 { rows.append(["Photos", "\(region.photoCount), \(Wording.size(region.photoSize))"]) }
        if let attribution = region.attribution { rows.append(["Source", "\(attribution)"]) }
        rows.append(["Added", "\(Wording.day(region.addedAt))"])
        if isVerbose {
            rows += [["Id", "\(region.id.uuidString)"], ["Tiles", tiles], ["Digest", "\(region.mapDigest.hex)"]]
        }
        return "\(region.name)\n" + DetailTable.render(rows)
    }

    private var kind: DisplayText {
        region.sealed.map { "a \($0.format.title)" } ?? "\(Wording.zoomWords(region.zooms))"
    }

    private var tiles: DisplayText {
        let format = region.format.map { ", \($0.rawValue)" } ?? ""
        let missing = region.plannedTileCount > region.tileCount ? " of \(region.plannedTileCount) planned" : ""
        return "\(region.tileCount)\(missing)\(format)"
    }
}

/// The past transfers of a region.
package struct RegionHistoryReport: Report {
    package var history: [TransferHistoryEntry]

    /// Creates the value.
    package init(history: [TransferHistoryEntry]) {
        self.history = history
    }

    package var payloads: [JSONObject] { history.map(\.json) }

    package var text: DisplayText {
        history.isEmpty ? "" : "\nTransfers\n" + DetailTable.render(history.map(Self.row))
    }

    private static func row(_ entry: TransferHistoryEntry) -> [DisplayText] {
        let direction = entry.direction == .sent ? "sent to" : "received from"
        let name = entry.partner.displayName
        let partner = [name.isEmpty ? nil : name, entry.partner.id.map { "(\($0.short))" }]
            .compactMap { $0 }
            .joined(separator: " ")
        return [
            "\(Wording.time(entry.endedAt))",
            "\(direction) \(partner.isEmpty ? "an unknown machine" : partner)",
            "\(Wording.size(entry.byteCount))",
            entry.outcome == .completed ? "completed" : "not completed",
        ]
    }
}

/// The indented tables of `show`.
package enum DetailTable {
    package static func render(_ rows: [[DisplayText]]) -> DisplayText {
        Table.render(rows.map { [""] + $0 })
    }
}
