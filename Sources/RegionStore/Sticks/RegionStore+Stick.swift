import Crypto
import FoundationEssentials
import GRDB
import Glibc
package import PeerProtocol
import PeerStorage
import RegionModel

extension RegionStore {
    /// Writes to a stick what this store has.
    ///
    /// It replaces the request of this machine on the stick, and the open request of the store: what was sealed for that one cannot be
    /// opened any more.
    ///
    /// - Returns: The request, the path of its file, and whether it replaces one that was open.
    package func writeStickRequest(
        to folder: String,
        name: String,
        sign: (_ message: [UInt8]) throws -> PeerSignature
    ) throws -> (request: StickRequest, path: String, isReplacement: Bool) {
        let isReplacement = try openStickRequest() != nil
        let key = P256.KeyAgreement.PrivateKey()
        var files: [ContentDigest] = []
        var pieces: Set<UInt64> = []
        for region in try regions() { files += [region.mapDigest] + [region.routingDigest].compactMap { $0 } }
        var digests: Set<ContentDigest> = []
        // In the order in which ``LocalSearch`` takes them: of the tiles of a map in which it does not look, none must be listed.
        let maps = try database.read { try KnownFile.fetchAll(.mbtiles, $0) }
        for map in maps.filter({ digests.insert($0.digest).inserted }).prefix(StickRequest.maximumMapCount) {
            // More than can be written are not gathered.
            guard let index = folders.keptTileIndex(map.digest, regionID: map.regionID),
                index.count + pieces.count <= StickRequest.maximumPieceCount
            else { continue }
            try RegionStoreError.mapping("read", "The store") {
                do {
                    try index.scan { pieces.insert($0.digest.bits) }
                } catch {
                    throw error as? SystemError ?? SystemError(number: EIO)
                }
            }
        }
        let (request, bytes) = try StickRequest.write(
            name: name,
            agreementKey: Array(key.publicKey.rawRepresentation),
            files: files,
            pieces: pieces,
            sign
        )
        let fileName = request.signer.short + StickFile.requestSuffix
        let path = try RegionStoreError.mapping("written", folder) {
            let folder = try Folder(folder)
            if try folder.contains(fileName) { try folder.removeFile(fileName) }
            return folder.path(of: fileName)
        }
        try NewFile.write(to: path) { append in try append(bytes) }
        // Now: if the request cannot be written, the former one stays open.
        try keepStickRequest("\(request.digest.hex) \(Data(key.rawRepresentation).base64EncodedString())")
        return (request, path, isReplacement)
    }

    /// Returns the open request; nil if there is none.
    func openStickRequest() throws -> OpenStickRequest? {
        guard let words = try setting("stickRequest")?.split(separator: " "), words.count == 2,
            let digest = ContentDigest(hex: words[0]), let bytes = Data(base64Encoded: String(words[1])),
            let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: bytes)
        else { return nil }
        return OpenStickRequest(digest: digest, key: key)
    }

    /// Forgets the key of the open request.
    ///
    /// What was sealed for it cannot be opened any more, not even on this machine.
    package func closeStickRequest() throws { try keepStickRequest("") }

    /// Keeps the open request in the place of the former one, whose key is overwritten on the disk.
    private func keepStickRequest(_ text: String) throws {
        try database.write { try $0.execute(sql: "PRAGMA secure_delete = ON") }
        try set("stickRequest", to: text)
        // The log has the former key, too.
        try? database.settle()
    }
}

extension StickRequest {
    /// Reads the file of a request, and checks its signature.
    ///
    /// - Throws: ``StickFile/damaged(_:cause:)``; `RegionStoreError` with `RegionStoreError.Code.storage` if it cannot be read.
    package init(readingFile path: String) throws {
        let bytes = try RegionStoreError.mapping("read", path) {
            let file = try OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            guard try file.size() <= StickRequest.maximumLength else { return [UInt8]() }
            return try file.prefix(StickRequest.maximumLength)
        }
        try self.init(parsing: bytes)
    }
}
