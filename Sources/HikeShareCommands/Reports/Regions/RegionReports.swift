import FoundationEssentials
import PeerCore
import RegionStore

/// The regions of a store, one for each line.
struct RegionListReport: Report {
    /// The width up to which a name moves the columns behind it.
    ///
    /// Longer names are not cut, because commands need them whole.
    private static let maximumNameWidth = 40

    var regions: [RegionSummary]

    var payloads: [any Encodable & Sendable] { regions.map(RegionPayload.init) }

    var text: DisplayText {
        guard !regions.isEmpty else { return "" }
        let header: [DisplayText] = ["NAME", "ID", "ZOOM", "SIZE", "ADDED", "HAS"]
        let rows = regions.map { region -> [DisplayText] in
            [
                DisplayText(escaping: region.name),
                "\(region.shortID)",
                "\(Wording.zooms(region.zoomLevels))",
                "\(Wording.size(region.fileSize))",
                "\(Wording.day(region.addedAt))",
                "\(region.shortContents)",
            ]
        }
        return Table.render([header] + rows, trailing: [3], maximumWidth: Self.maximumNameWidth)
    }
}

/// Everything about one region but its items, which may be many.
///
/// Its transfers are shown after the items (``RegionHistoryReport``).
struct RegionDetailReport: Report {
    var region: RegionSummary
    /// The drawing of the area; empty if there is none.
    var sketch: DisplayText = ""

    var payloads: [any Encodable & Sendable] { [RegionPayload(region)] }

    var text: DisplayText {
        [facts, sketch].filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    private var facts: DisplayText {
        var rows: [[DisplayText]] = [
            ["Id", "\(region.id.uuidString)"],
            ["Area", "\(Wording.extent(region.boundingBox)), \(Wording.bounds(region.boundingBox))"],
            ["Zooms", "\(Wording.zooms(region.zoomLevels))"],
            ["Tiles", tiles],
            ["Map", "\(Wording.size(region.mapSize))"],
            ["Digest", "\(region.mapDigest.hex)"],
        ]
        if let size = region.routingSize { rows.append(["Routing", "\(Wording.size(size))"]) }
        if region.photoCount > 0 {
            rows.append([
                "Photos",
                "\(Wording.count(region.photoCount, "photo")) of waypoints, \(Wording.size(region.photoSize))",
            ])
        }
        if let attribution = region.attribution { rows.append(["Attribution", "\(attribution)"]) }
        if let date = region.mapDate { rows.append(["Map date", "\(Wording.mapDay(date))"]) }
        rows.append(["Added", "\(Wording.time(region.addedAt))"])
        return "\(region.name)\n" + DetailTable.render(rows)
    }

    private var tiles: DisplayText {
        let format = region.format.map { ", \($0.rawValue)" } ?? ""
        let missing = region.plannedTileCount > region.tileCount ? " of \(region.plannedTileCount) planned" : ""
        return "\(region.tileCount)\(missing)\(format)"
    }
}

/// The past transfers of a region.
struct RegionHistoryReport: Report {
    var history: [TransferHistoryEntry]

    var payloads: [any Encodable & Sendable] { history.map(HistoryPayload.init) }

    var text: DisplayText {
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
enum DetailTable {
    /// The width up to which a name moves the columns behind it.
    ///
    /// Longer names are not cut, because commands need them whole.
    static let maximumNameWidth = 40

    static func render(_ rows: [[DisplayText]]) -> DisplayText {
        Table.render(rows.map { [""] + $0 }, maximumWidth: maximumNameWidth)
    }
}
