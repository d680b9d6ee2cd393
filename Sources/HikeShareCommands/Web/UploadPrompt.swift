import FoundationEssentials
import MapPages
import PeerCore
import RegionStore
import TrackFiles

/// Asks about the GPX files that phones send, and adds them to the region.
struct UploadPrompt: Sendable {
    /// The number of names that a question shows.
    private static let shownNames = 5

    var region: RegionSummary
    var store: RegionStore
    var console: Console
    /// How long a question waits for an answer.
    var patience: Duration = .seconds(60)

    /// Decides on files until the task is cancelled.
    func follow(_ queue: UploadQueue) async {
        for await upload in queue.uploads {
            let state = await decide(on: upload)
            queue.finish(upload.number, state)
        }
    }

    private func decide(on upload: UploadQueue.Upload) async -> UploadQueue.State {
        do {
            let document = try await OwnThread.run { try Self.read(upload.file) }
            let answer = try await console.confirmGivingWay(
                introduction: Self.introduction(document, from: upload.client, to: region),
                "Add this to \(DisplayText(quoting: region.name))?",
                within: patience
            )
            guard let answer else {
                console.note("There was no answer, so the file from \(upload.client) was not added.")
                return .unanswered("The person at the laptop did not answer. Ask them, then send the file again.")
            }
            guard answer else { return .refused("The person at the laptop said no.") }
            let (store, id) = (store, region.id)
            let imported = try await OwnThread.run { try store.importGPX(document, into: id) }
            console.emit(GPXImportReport(file: "the file", imported: imported))
            return .added("The laptop has it now.")
        } catch let error as RegionStoreError {
            // The person who has sent the file can do something about it.
            console.note("A phone (\(upload.client)) has sent a file that cannot be added, and was told why.")
            return .refused([error.message, error.remedy].compactMap { $0 }.joined(separator: " "))
        } catch {
            return .unanswered("The laptop has stopped.")
        }
    }

    private static func read(_ file: OpenFile) throws -> GPXDocument {
        let beginning = (try? file.prefix(UploadKind.signatureLength)) ?? []
        if let kind = UploadKind.name(ofFileBeginning: beginning) {
            let remedy =
                "Send a GPX file." + (kind == "a ZIP file" ? " If it is in the ZIP file, unpack that first." : "")
            throw RegionStoreError(.invalidFile, "This is \(kind), not a GPX file.", remedy: remedy)
        }
        guard !beginning.isEmpty else {
            throw RegionStoreError(.invalidFile, "The file is empty.", remedy: "Send it again, or another one.")
        }
        return try TrackFileReader(limits: .upload).read(file, named: "Track")
    }

    /// What a file contains, for the question.
    static func introduction(
        _ document: GPXDocument,
        from client: String,
        to region: RegionSummary
    ) -> DisplayText {
        let counts = [
            (document.savedRoutes.count, "hike"), (document.plannedRoutes.count, "planned route"),
            (document.waypoints.count, "waypoint"),
        ]
        let words = Wording.list(counts.filter { $0.0 > 0 }.map { Wording.count($0.0, $0.1) })
        let limit = shownNames + 1
        let names =
            document.savedRoutes.prefix(limit).map(\.name) + document.plannedRoutes.prefix(limit).map(\.name)
            + document.waypoints.prefix(limit).map(\.label)
        let shown = names.prefix(shownNames).map { DisplayText(quoting: $0) }.joined(separator: ", ")
        let more: DisplayText = names.count > shownNames ? " …" : ""
        let place: DisplayText =
            document.isOutside(region)
            ? "\nMost of it is outside the area of \(DisplayText(quoting: region.name))." : ""
        return "A phone (\(client)) has sent \(words): \(shown)\(more)\(place)"
    }
}

/// The kinds of files that people send although the page asks for GPX files.
enum UploadKind {
    /// The number of bytes by which a kind is detected.
    static let signatureLength = 16

    /// Returns what a file is, for a message; nil for text, and for what is not known.
    static func name(ofFileBeginning bytes: [UInt8]) -> String? {
        func begins(_ text: String, at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
        if begins("PK\u{3}\u{4}") || begins("PK\u{5}\u{6}") { return "a ZIP file" }
        if bytes.starts(with: [0x1F, 0x8B]) { return "a compressed file" }
        if begins("SQLite format 3\0") { return "a map or another database" }
        if begins(".FIT", at: 8) { return "a FIT file" }
        if begins("%PDF") { return "a PDF file" }
        let isPicture =
            bytes.starts(with: [0xFF, 0xD8, 0xFF]) || bytes.starts(with: [0x89] + Array("PNG".utf8)) || begins("GIF8")
            || begins("WEBP", at: 8) || begins("ftyp", at: 4)
        return isPicture ? "a picture or video" : nil
    }
}
