import FoundationEssentials
import MapPages
import RegionStore
import SharingReports

/// The export of a region to one HTML file.
struct PageExport: Sendable {
    var content: any RegionContent
    /// Whether what concerns a person is not in the content.
    var isImpersonal: Bool
    /// Whether photos have what they say of the camera, the place and the time.
    var hasPhotoDetails = true
    var region: RegionSummary
    var path: String
    /// The highest zoom level to write; nil for the file that the page for phones has.
    var maximumZoom: Int?

    /// Writes the file.
    ///
    /// - Returns: The report of the file.
    /// - Throws: ``CommandError`` if the file would be too large, or the zoom level is not one of the map's.
    func write() throws -> MapFileReport {
        let file = try MapFile(of: content)
        let selection = try maximumZoom.map { try self.selection(upToZoom: $0, file) } ?? usualSelection(file)
        var written: UInt64 = 0
        try NewFile.write(to: path) { append in
            try withoutActuallyEscaping(append) { append in
                try file.write(selection) { piece in
                    try append(piece)
                    written += UInt64(piece.count)
                }
            }
        }
        return MapFileReport(
            region: region,
            content: .html,
            path: path,
            size: written,
            hasTiles: file.drawsTiles,
            personal: isImpersonal
                ? []
                : try content.withItems { items in
                    DownloadKind.html.personalParts(
                        of: items.region,
                        try items.personalContent(),
                        hasPhotoDetails: hasPhotoDetails
                    )
                },
            tiles: MapFileReport.Tiles(selection, zooms: file.zooms, hasPhotos: file.hasRoomForPhotos(selection))
        )
    }

    private func usualSelection(_ file: MapFile) throws -> MapSelection {
        do {
            return try file.usualSelection()
        } catch var error as RegionStoreError where error.code == .invalidArgument {
            error.remedy = "Show the region with 'hikeshare map', or write its files with 'hikeshare export --to DIR'."
            throw error
        }
    }

    private func selection(upToZoom zoom: Int, _ file: MapFile) throws -> MapSelection {
        guard file.zooms.contains(zoom) else {
            throw CommandError(
                .usage,
                "“\(region.name)” has no zoom level \(zoom).",
                remedy: "Its map has \(Wording.zoomWords(file.zooms))."
            )
        }
        let selection = file.selection(upToZoom: zoom)
        let size = file.size(of: selection)
        guard size <= MapFile.maximumSize else { throw tooLarge(size, file) }
        return selection
    }

    private func tooLarge(_ size: UInt64, _ file: MapFile) -> CommandError {
        let fitting = file.zooms.last { file.size(of: file.selection(upToZoom: $0)) <= MapFile.maximumSize }
        let remedy =
            fitting.map { zoom in
                "Use --max-zoom \(zoom) (about \(Wording.size(file.size(of: file.selection(upToZoom: zoom))))), or leave it out."
            } ?? "Leave --max-zoom out, or show the region with 'hikeshare map'."
        return CommandError(
            .usage,
            "One file with “\(region.name)” would have about \(Wording.size(size)), and browsers open at most "
                + "\(Wording.size(MapFile.maximumSize)) well.",
            remedy: Remedy(remedy)
        )
    }
}
