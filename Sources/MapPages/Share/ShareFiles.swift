package import PeerStorage
package import RegionStore

/// The files of the page for phones that are made here: what a phone keeps and opens by itself.
package enum ShareFiles {
    /// Draws a sheet of a description, in another process: what draws it would stay in the memory of the server.
    ///
    /// It returns a file that `makeFile` has created. It ends soon with the error of `check`, which it calls while it waits.
    package typealias SheetDrawer =
        @Sendable (
            _ description: OpenFile, _ makeFile: () throws -> OpenFile, _ check: () throws -> Void
        ) throws -> OpenFile

    /// The number of bytes of a sheet that are copied at once.
    private static let blockLength = 256 << 10

    /// Returns what makes the files of a region; a kind that cannot be made of its map is missing.
    package static func makers(
        for region: RegionSummary,
        drawing draw: @escaping SheetDrawer
    ) -> [DownloadKind: RegionDownloads.Maker] {
        guard MapAssets.draws(region.format) else { return [:] }
        var makers: [DownloadKind: RegionDownloads.Maker] = [
            .html: { downloads, append in
                let file = try MapFile(of: downloads)
                let selection = try file.usualSelection()
                downloads.note(file.lack(of: selection), of: .html)
                try file.write(selection, to: append)
            }
        ]
        if MapSheet.draws(region.format) {
            makers[.pdf] = { downloads, append in
                let description = try downloads.temporaryFile()
                try MapSheet(of: downloads).describe(to: description)
                let sheet = try draw(description, downloads.temporaryFile, downloads.checkGoesOn)
                var position: UInt64 = 0
                while case let block = try sheet.bytes(blockLength, at: position), !block.isEmpty {
                    try append(block)
                    position += UInt64(block.count)
                }
            }
        }
        return makers
    }

    /// How to open what a phone keeps, as on the page with scripts.
    static let hint =
        "Open it later from the phone’s own downloads or files: it needs no internet, no app and no laptop."

    /// Why a region has no file that a phone opens by itself, as a sentence; nil if it has one.
    static func problem(of downloads: RegionDownloads) -> String? {
        guard !downloads.kinds.contains(.html), downloads.kinds.contains(.mbtiles) else { return nil }
        return
            """
            This program cannot draw the tiles of this map, so there is no file of it that a phone opens by itself. \
            Download the MBTiles file, and open it in an app.
            """
    }
}
