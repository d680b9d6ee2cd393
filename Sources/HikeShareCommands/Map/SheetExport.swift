import FoundationEssentials
import MapPages
import RegionStore
import Sentences
import SharingReports

/// The export of a region to one sheet of paper, as a PDF file.
struct SheetExport: Sendable {
    var content: any RegionContent
    var region: RegionSummary
    var path: String

    /// Writes the file, if this machine has the libraries that draw sheets and there is a picture of the map.
    func write() throws -> PlainReport {
        guard MapSheet.isPossible else {
            throw CommandError(
                .usage,
                "PDF files need the library Pango and a font, which are not installed.",
                remedy: "Install the package libpangocairo-1.0-0, or use --html FILE and print it from a browser."
            )
        }
        var size: UInt64 = 0
        do {
            let sheet = try MapSheet(of: content)
            try NewFile.write(to: path) { append in
                try withoutActuallyEscaping(append) { append in
                    try sheet.write { bytes in
                        try append(bytes)
                        size += UInt64(bytes.count)
                    }
                }
            }
        } catch var error as RegionStoreError where error.code == .invalidArgument && error.remedy == nil {
            let fits = (try? OfflinePage(of: content).usualSelection()) != nil
            error.remedy = fits ? "Use --html FILE." : "Show the region with 'hikeshare map'."
            throw error
        }
        let personal = try content.withItems {
            DownloadKind.pdf.personalParts(of: $0.region, try $0.personalContent())
        }
        return .sheet(of: region, at: path, size: size, personal: personal)
    }
}
