import RegionStore

/// All regions of a store, one a line.
struct RegionListReport: Report {
    private static let maximumNameWidth = 40

    var regions: [RegionSummary]

    var payloads: [any Encodable & Sendable] { regions.map(RegionPayload.init) }

    var text: DisplayText {
        guard !regions.isEmpty else { return "" }
        let header: [DisplayText] = ["NAME", "ID", "ZOOM", "SIZE", "MADE", "HAS"]
        let rows = regions.map { region -> [DisplayText] in
            [
                DisplayText(escaping: region.name).truncated(to: Self.maximumNameWidth),
                "\(region.shortID)",
                "\(Wording.zooms(region.zoomLevels))",
                "\(Wording.size(region.fileSize))",
                "\(String(Wording.time(region.createdAt).prefix(10)))",
                "\(region.shortContents)",
            ]
        }
        return Table.render([header] + rows, trailing: [3])
    }
}
