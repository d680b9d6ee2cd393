import FoundationEssentials
import Glibc
import PeerProtocol
import PeerStorage
import RegionModel

/// What a store notes beside the received part of a file.
struct IncomingNote: Codable {
    var regionID: UUID
    var regionName: String
    var kind: String
    var size: UInt64

    var bytes: [UInt8] {
        let encoder = JSONEncoder()
        // So that the same note is the same bytes.
        encoder.outputFormatting = .sortedKeys
        return Array((try? encoder.encode(self)) ?? Data())
    }
}

extension IncomingNote {
    /// Reads the note in the folder of a part; nil if it is missing or invalid.
    init?(in folder: Folder) {
        guard let bytes = ReceivedPart.note(in: folder),
            let note = try? JSONDecoder().decode(Self.self, from: Data(bytes))
        else { return nil }
        self = note
    }
}

extension RegionStore {
    /// Returns the partially received files, the latest first.
    package func incomingFiles() throws -> [IncomingFile] {
        let parts = try RegionStoreError.mapping("read", "The store") { try folders.incoming.all() }
        let files = parts.compactMap { part -> IncomingFile? in
            guard let note = IncomingNote(in: part.folder), let kind = ResourceKind(rawValue: note.kind),
                let status = try? part.folder.openFile(ReceivedPart.dataName, O_RDONLY | O_NONBLOCK).status()
            else { return nil }
            return IncomingFile(
                digest: part.digest,
                regionID: note.regionID,
                regionName: note.regionName,
                kind: kind,
                size: note.size,
                byteCount: min(status.allocatedSize, note.size),
                lastArrival: Date(timeIntervalSince1970: TimeInterval(status.modifiedAt)),
                isArriving: part.isInUse
            )
        }
        return files.sorted { $0.lastArrival > $1.lastArrival }
    }

    /// Returns the partially received files of the regions that a text means, the latest first.
    ///
    /// The text can be a name that a sender uses, the beginning of a region's id, or such a name as a list shows it. A part of
    /// a name does not count, because the files cannot be restored.
    ///
    /// - Returns: The files; they can be those of several regions.
    package static func files(
        matching text: String,
        of files: [IncomingFile],
        shownAs shown: (String) -> String
    ) -> [IncomingFile] {
        let query = RegionQuery(text, isExact: true)
        let named = query.matches(files, name: \.regionName, id: \.regionID)
        guard named.isEmpty else { return named }
        // The spaces around a name are not seen.
        return files.filter { words(shown($0.regionName)) == words(text) }
    }

    private static func words(_ text: String) -> [String] {
        text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    }

    /// Removes the received part of a file.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.conflict` if a transfer is using it.
    package func discard(_ file: IncomingFile) throws {
        let name = "The received part of “\(file.regionName)”"
        let isRemoved = try RegionStoreError.mapping("removed", name) {
            try folders.incoming.discard(file.digest, size: file.size)
        }
        guard isRemoved else {
            throw RegionStoreError(
                .conflict,
                "“\(file.regionName)” is already being received by this or another program.",
                remedy: "Stop that transfer first."
            )
        }
    }
}
