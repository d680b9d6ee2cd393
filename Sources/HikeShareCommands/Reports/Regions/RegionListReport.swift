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
