import FoundationEssentials
import MapPages
import RegionStore

/// The export of a region to one HTML file.
struct PageExport: Sendable {
    var store: RegionStore
    var region: RegionSummary
    var path: String
    /// The highest zoom level to write; nil for that of the map.
    var maximumZoom: Int?

    /// Writes the file.
    ///
    /// - Returns: The report of the file.
    /// - Throws: ``CommandError`` if the file would be too large, or the zoom level is not one of the map's.
    func write() throws -> MapFileReport {
        let file = try MapFile(of: region.id, in: store)
        let zoom = maximumZoom ?? region.zoomLevels.upperBound
        guard file.zooms.contains(zoom) else {
            throw CommandError(
                .usage,
                "“\(region.name)” has no zoom level \(zoom).",
                remedy: "Its map has \(Wording.zoomWords(file.zooms))."
            )
        }
        let size = file.size(upToZoom: zoom)
        guard size <= MapFile.maximumSize else { throw tooLarge(size, file) }
        let written = try file.write(to: path, upToZoom: zoom)
        return MapFileReport(region: region, content: .html, path: path, size: written, hasTiles: file.drawsTiles)
    }

    private func tooLarge(_ size: UInt64, _ file: MapFile) -> CommandError {
        let remedy =
            file.highestZoom().map { zoom in
                "Use --max-zoom \(zoom) (about \(Wording.size(file.size(upToZoom: zoom)))), or show the region with 'hikeshare map'."
            } ?? "Show the region with 'hikeshare map', or write its files with 'hikeshare export --to DIR'."
        return CommandError(
            .usage,
            "One file with “\(region.name)” would have about \(Wording.size(size)), and browsers open at most "
                + "\(Wording.size(MapFile.maximumSize)) well.",
            remedy: remedy
        )
    }
}
