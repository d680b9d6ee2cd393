import RegionStore

/// The regions of a store, one for each line.
struct RegionListReport: Report {
    private static let maximumNameWidth = 40

    var regions: [RegionSummary]

    var payloads: [any Encodable & Sendable] { regions.map(RegionPayload.init) }

    var text: DisplayText {
        guard !regions.isEmpty else { return "" }
        let header: [DisplayText] = ["NAME", "ID", "ZOOM", "SIZE", "ADDED", "HAS"]
        let rows = regions.map { region -> [DisplayText] in
            [
                DisplayText(escaping: region.name).truncated(to: Self.maximumNameWidth),
                "\(region.shortID)",
                "\(Wording.zooms(region.zoomLevels))",
                "\(Wording.size(region.fileSize))",
                "\(Wording.day(region.addedAt))",
                "\(region.shortContents)",
            ]
        }
        return Table.render([header] + rows, trailing: [3])
    }
}
