package import RegionStore

/// The files of the page for phones that are made here: what a phone keeps and opens by itself.
package enum ShareFiles {
    /// Returns what makes the files of a region; a kind that cannot be made of its map is missing.
    package static func makers(for region: RegionSummary) -> [DownloadKind: RegionDownloads.Maker] {
        guard MapAssets.draws(region.format) else { return [:] }
        return [
            .html: { downloads, append in
                let file = try MapFile(of: downloads)
                try file.write(file.usualSelection(), to: append)
            }
        ]
    }

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
