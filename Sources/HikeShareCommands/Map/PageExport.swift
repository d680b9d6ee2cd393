import FoundationEssentials
import MapPages
import RegionStore
import Sentences
import SharingReports

/// The export of a region to one HTML file.
struct PageExport: Sendable {
    var content: any RegionContent
    var region: RegionSummary
    var path: String
    /// The highest zoom level to write; nil for the file that the page for phones has.
    var maximumZoom: Int?

    /// Writes the file, if the map has the zoom level and the file would not be too large.
    func write() throws -> PlainReport {
        let file = try OfflinePage(of: content)
        let selection = try maximumZoom.map { try self.selection(upToZoom: $0, file) } ?? usualSelection(file)
        var written: UInt64 = 0
        try NewFile.write(to: path) { append in
            try withoutActuallyEscaping(append) { append in
                try file.write(selection) { bytes in
                    try append(bytes)
                    written += UInt64(bytes.count)
                }
            }
        }
        let hasPhotos = file.hasRoomForPhotos(selection)
        let personal = try content.withItems {
            DownloadKind.html.personalParts(of: $0.region, try $0.personalContent(), hasPhotos: hasPhotos)
        }
        return .page(
            of: region,
            at: path,
            size: written,
            PageTiles(selection, zooms: file.zooms, hasPhotos: hasPhotos),
            hasTiles: file.drawsTiles,
            personal: personal
        )
    }

    private func usualSelection(_ file: OfflinePage) throws -> CutRule {
        do {
            return try file.usualSelection()
        } catch var error as RegionStoreError where error.code == .invalidArgument {
            error.remedy = "Show the region with 'hikeshare map', or write its files with 'hikeshare export --to DIR'."
            throw error
        }
    }

    private func selection(upToZoom zoom: Int, _ file: OfflinePage) throws -> CutRule {
        guard file.zooms.contains(zoom) else {
            throw CommandError(
                .usage,
                "“\(region.name)” has no zoom level \(zoom).",
                remedy: "Its map has \(Wording.zoomWords(file.zooms))."
            )
        }
        let selection = file.selection(upToZoom: zoom)
        let size = file.size(of: selection)
        guard size <= OfflinePage.maximumSize else { throw tooLarge(size, file) }
        return selection
    }

    private func tooLarge(_ size: UInt64, _ file: OfflinePage) -> CommandError {
        let fitting = file.zooms.last { file.size(of: file.selection(upToZoom: $0)) <= OfflinePage.maximumSize }
        let remedy: Sentence =
            fitting.map { zoom in
                "Use --max-zoom \(zoom) (about \(Wording.size(file.size(of: file.selection(upToZoom: zoom))))), or leave it out."
            } ?? "Leave --max-zoom out, or show the region with 'hikeshare map'."
        return CommandError(
            .usage,
            "One file with “\(region.name)” would have about \(Wording.size(size)), and browsers open at most "
                + "\(Wording.size(OfflinePage.maximumSize)) well.",
            remedy: Remedy(remedy)
        )
    }
}
