internal import FoundationEssentials
package import PeerStorage
package import RegionStore
internal import Sentences

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
                let file = try OfflinePage(of: downloads)
                let selection = try file.usualSelection()
                if !file.hasRoomForPhotos(selection) { downloads.leaveOutPhotos(of: .html) }
                downloads.note(file.lack(of: selection).map(NotedSentence.text), of: .html)
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
    static let hint = Sentence(
        "Open it later from the phone’s own downloads or files: it needs no internet, no app and no laptop."
    )

    /// Why a region has no file that a phone opens by itself, as a sentence; nil if it has one.
    static func problem(of downloads: RegionDownloads) -> Sentence? {
        guard !downloads.kinds.contains(.html), downloads.kinds.contains(.mbtiles) else { return nil }
        return Sentence(
            """
            This program cannot draw the tiles of this map, so there is no file of it that a phone opens by itself. \
            Download the MBTiles file, and open it in an app.
            """
        )
    }
}

extension RegionDownloads {
    /// What a file lacks of the region, as English sentences; nil if it has everything, or is not ready.
    package func lack(of kind: DownloadKind) -> String? { lackSentence(of: kind)?.english }

    /// The same for all languages.
    func lackSentence(of kind: DownloadKind) -> Sentence? {
        let photos = lacksPhotos(kind) ? Sentence("The photos are too large for this page.") : nil
        return Sentence.sequence([note(of: kind).map(NotedSentence.sentence), photos].compactMap { $0 })
    }

    /// The files that have the whole map, if a file has only a part of it; empty otherwise.
    package func wholeKinds(insteadOf kind: DownloadKind) -> [DownloadKind] {
        note(of: kind) == nil ? [] : kinds.filter { [.mbtiles, .sqlitedb].contains($0) }
    }
}

/// Sentences as the notes of downloads, which are texts.
private enum NotedSentence {
    static func text(_ sentence: Sentence) -> String {
        let data = try? PageJSON.encoder().encode(sentence)
        return data.map { String(decoding: $0, as: UTF8.self) } ?? sentence.english
    }

    static func sentence(_ text: String) -> Sentence {
        (try? JSONDecoder().decode(Sentence.self, from: Data(text.utf8))) ?? Sentence(known: text)
    }
}
