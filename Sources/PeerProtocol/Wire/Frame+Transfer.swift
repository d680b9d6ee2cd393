package import FoundationEssentials
import NIOCore

/// The resources whose lists of chunk digests the receiver asks for before it answers the offer.
package struct DigestQuery: Hashable, Sendable, Codable {
    /// The kinds of the resources; each is in the manifest, none is there twice.
    package var kinds: [ResourceKind]

    /// Creates a query.
    package init(kinds: [ResourceKind]) {
        self.kinds = kinds
    }

    func isWithin(_ limits: ProtocolLimits) -> Bool {
        kinds.count <= limits.maximumListLength
    }
}

/// Which of the offered resources the receiver wants.
package struct ResourceSelection: Hashable, Sendable, Codable {
    /// The kinds that it wants; each is in the manifest.
    package var kinds: [ResourceKind]
    /// The kinds in the manifest that it does not know.
    package var unknown: [ResourceKind]

    /// Creates a selection.
    package init(kinds: [ResourceKind], unknown: [ResourceKind] = []) {
        self.kinds = kinds
        self.unknown = unknown
    }

    func isWithin(_ limits: ProtocolLimits) -> Bool {
        kinds.count <= limits.maximumListLength && unknown.count <= limits.maximumListLength
    }
}

/// A part of the list of the digests of a resource's chunks.
package struct DigestListPart: Hashable, Sendable {
    static let prefixLength = 8

    /// The number of digests in every part but a list's last.
    static let maximumCount = 1024

    /// The position of the resource in the manifest, from 0.
    package var resource: Int
    /// The position of the chunk that the first digest belongs to.
    package var first: Int
    /// The digests of consecutive chunks.
    package var digests: [ContentDigest]

    /// Creates a part.
    package init(resource: Int, first: Int = 0, digests: [ContentDigest]) {
        self.resource = resource
        self.first = first
        self.digests = digests
    }

    /// Divides the list of all digests of a resource; the list of an empty resource is one part without digests.
    package static func parts(of digests: [ContentDigest], resource: Int) -> some Sequence<DigestListPart> {
        stride(from: 0, to: max(1, digests.count), by: maximumCount).lazy.map { first in
            let end = min(first + maximumCount, digests.count)
            return DigestListPart(resource: resource, first: first, digests: Array(digests[first..<end]))
        }
    }
}

/// The chunks of a resource that the receiver lacks.
package struct ChunkRequest: Hashable, Sendable {
    static let prefixLength = 4

    /// The bits of the largest number of chunks.
    static let maximumBitmapLength = Int(ChunkLayout.maximumChunkCount) / 8

    /// The position of the resource in the manifest, from 0.
    package var resource: Int
    /// Runs of chunk positions, not yet checked against the resource's layout.
    ///
    /// Their chunks are what is sent: the other side reads runs that touch as one.
    package var runs: [Range<Int>]

    /// Creates a request.
    package init(resource: Int, runs: [Range<Int>]) {
        self.resource = resource
        self.runs = runs
    }
}

/// What stands before the bytes in a data frame.
package struct DataHeader: Hashable, Sendable {
    static let byteCount = 12

    /// The position of the resource in the manifest, from 0.
    package var resource: Int
    /// Where in the resource the bytes begin.
    package var offset: UInt64
    /// The number of bytes that follow.
    package var length: Int

    /// Creates a header.
    package init(resource: Int, offset: UInt64, length: Int) {
        self.resource = resource
        self.offset = offset
        self.length = length
    }
}

/// The receiver has a resource whole, verified and stored.
package struct Confirmation: Hashable, Sendable, Codable {
    /// The position of the resource in the manifest, from 0.
    package var resource: Int
    /// Its digest.
    package var digest: ContentDigest

    /// Creates a confirmation.
    package init(resource: Int, digest: ContentDigest) {
        self.resource = resource
        self.digest = digest
    }
}

/// The sender has sent everything.
package struct Completion: Hashable, Sendable, Codable {
    /// The manifest's id.
    package var id: UUID

    /// Creates the end of the transfer with the given id.
    package init(id: UUID) {
        self.id = id
    }
}

/// The receiver has committed everything.
package struct Acknowledgement: Hashable, Sendable, Codable {
    /// The manifest's id.
    package var id: UUID
    /// When it was committed, by the receiver's clock.
    package var time: Date
    /// How many items were taken over, by kind.
    package var imported: [String: Int]
    /// How many items the receiver left as they were, by kind.
    package var keptLocal: [String: Int]
    /// What happened to the items that were changed or kept, as far as it is told; nil for nothing.
    package var changes: [ItemChange]?

    /// Creates an acknowledgement.
    package init(
        id: UUID,
        time: Date,
        imported: [String: Int],
        keptLocal: [String: Int],
        changes: [ItemChange] = []
    ) {
        self.id = id
        self.time = time
        self.imported = imported
        self.keptLocal = keptLocal
        self.changes = changes.isEmpty ? nil : changes
    }

    private enum CodingKeys: CodingKey {
        case id
        case time
        case imported
        case keptLocal
        case changes
    }

    /// Reads an acknowledgement.
    ///
    /// Missing changes are nil; any other missing key is an error.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(UUID.self, forKey: .id)
        time = try container.decode(Date.self, forKey: .time)
        imported = try container.decode([String: Int].self, forKey: .imported)
        keptLocal = try container.decode([String: Int].self, forKey: .keptLocal)
        changes = try container.decodeUnlessMissing([ItemChange].self, forKey: .changes)
    }

    func isWithin(_ limits: ProtocolLimits) -> Bool {
        let changes = changes ?? []
        guard changes.count <= limits.maximumListLength, changes.allSatisfy({ $0.isWithin(limits) }) else {
            return false
        }
        return [imported, keptLocal].allSatisfy { counts in
            counts.count <= limits.maximumListLength
                && counts.allSatisfy { kind, count in
                    kind.utf8.count <= limits.maximumTextLength && (0...limits.maximumItemCount).contains(count)
                }
        }
    }
}

extension DigestListPart {
    func write(into buffer: inout ByteBuffer) {
        buffer.reserveCapacity(minimumWritableBytes: Self.prefixLength + ContentDigest.byteCount * digests.count)
        buffer.writeMultipleIntegers(UInt32(truncatingIfNeeded: resource), UInt32(truncatingIfNeeded: first))
        for digest in digests {
            digest.withUnsafeBytes { _ = buffer.writeBytes($0) }
        }
    }

    static func read(from payload: ByteBuffer) -> DigestListPart? {
        var payload = payload
        guard let (resource, first) = payload.readMultipleIntegers(as: (UInt32, UInt32).self),
            payload.readableBytes.isMultiple(of: ContentDigest.byteCount)
        else { return nil }
        let count = payload.readableBytes / ContentDigest.byteCount
        var digests: [ContentDigest] = []
        digests.reserveCapacity(count)
        payload.withUnsafeReadableBytes { bytes in
            for index in 0..<count {
                let start = index * ContentDigest.byteCount
                let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<start + ContentDigest.byteCount])
                if let digest = ContentDigest(bytes: piece) { digests.append(digest) }
            }
        }
        return DigestListPart(resource: Int(resource), first: Int(first), digests: digests)
    }
}

extension ChunkRequest {
    /// Whether every chunk has a bit.
    var hasOnlyPossibleChunks: Bool {
        runs.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= Int(ChunkLayout.maximumChunkCount) }
    }

    func write(into buffer: inout ByteBuffer) {
        let end = runs.filter { !$0.isEmpty }.map(\.upperBound).max() ?? 0
        var bitmap = [UInt8](repeating: 0, count: (end + 7) / 8)
        for chunk in runs.joined() { bitmap[chunk / 8] |= 0x80 >> UInt8(chunk % 8) }
        buffer.writeInteger(UInt32(truncatingIfNeeded: resource))
        buffer.writeBytes(bitmap)
    }

    static func read(from payload: ByteBuffer) -> ChunkRequest? {
        var payload = payload
        guard let resource = payload.readInteger(as: UInt32.self), payload.readableBytesView.last != 0 else {
            return nil
        }
        var runs: [Range<Int>] = []
        for (index, byte) in payload.readableBytesView.enumerated() where byte != 0 {
            for chunk in index * 8..<index * 8 + 8 where byte & 0x80 >> UInt8(chunk % 8) != 0 {
                let start = runs.last?.upperBound == chunk ? runs.removeLast().lowerBound : chunk
                runs.append(start..<chunk + 1)
            }
        }
        return ChunkRequest(resource: Int(resource), runs: runs)
    }
}

extension DataHeader {
    func write(into buffer: inout ByteBuffer) {
        buffer.writeMultipleIntegers(UInt32(truncatingIfNeeded: resource), offset)
    }
}

/// The sender asks the receiver to open further connections of the transfer, called lanes.
package struct LaneInvitation: Hashable, Sendable, Codable {
    /// What each of them has to say first.
    package var secret: ConnectionSecret
    /// How many more are to be opened, from 1.
    package var count: Int

    /// Creates an invitation.
    package init(secret: ConnectionSecret, count: Int) {
        self.secret = secret
        self.count = count
    }

    func isWithin(_ limits: ProtocolLimits) -> Bool {
        (1...limits.maximumLaneCount).contains(count)
    }
}

/// The receiver says which transfer a new connection belongs to: the connection's first frame.
package struct LaneJoin: Hashable, Sendable, Codable {
    /// What the transfer's sender has said.
    package var secret: ConnectionSecret

    /// Creates it.
    package init(secret: ConnectionSecret) {
        self.secret = secret
    }
}

/// The sender has handed out everything that was requested of a resource, some of it over lanes, and closed them.
package struct AllDispatched: Hashable, Sendable, Codable {
    /// The position of the resource in the manifest, from 0.
    package var resource: Int

    /// Creates it.
    package init(resource: Int) {
        self.resource = resource
    }
}
