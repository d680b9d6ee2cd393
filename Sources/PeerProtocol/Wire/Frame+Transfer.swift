package import FoundationEssentials
import NIOCore

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

/// The digests of a resource's chunks.
package struct DigestList: Hashable, Sendable {
    static let prefixLength = 4

    /// The position of the resource in the manifest, from 0.
    package var resource: Int
    /// The digests, in order.
    package var digests: [ContentDigest]

    /// Creates a list.
    package init(resource: Int, digests: [ContentDigest]) {
        self.resource = resource
        self.digests = digests
    }
}

/// The chunks of a resource that the receiver lacks.
package struct ChunkRequest: Hashable, Sendable {
    /// Every other chunk of the largest number of chunks.
    static let maximumRunCount = Int(ChunkLayout.maximumChunkCount) / 2

    /// The position of the resource in the manifest, from 0.
    package var resource: Int
    /// Runs of chunk positions, not yet held against the resource's layout.
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

    /// Creates an acknowledgement.
    package init(id: UUID, time: Date, imported: [String: Int], keptLocal: [String: Int]) {
        self.id = id
        self.time = time
        self.imported = imported
        self.keptLocal = keptLocal
    }

    func isWithin(_ limits: ProtocolLimits) -> Bool {
        [imported, keptLocal].allSatisfy { counts in
            counts.count <= limits.maximumListLength
                && counts.allSatisfy { kind, count in
                    kind.utf8.count <= limits.maximumTextLength && (0...limits.maximumItemCount).contains(count)
                }
        }
    }
}

extension DigestList {
    func write(into buffer: inout ByteBuffer) {
        buffer.reserveCapacity(minimumWritableBytes: Self.prefixLength + ContentDigest.byteCount * digests.count)
        buffer.writeInteger(UInt32(truncatingIfNeeded: resource))
        for digest in digests {
            digest.withUnsafeBytes { _ = buffer.writeBytes($0) }
        }
    }

    static func read(from payload: ByteBuffer) -> DigestList? {
        var payload = payload
        guard let resource = payload.readInteger(as: UInt32.self),
            payload.readableBytes.isMultiple(of: ContentDigest.byteCount)
        else { return nil }
        let count = payload.readableBytes / ContentDigest.byteCount
        var digests: [ContentDigest] = []
        // Up to 2 MiB, of which growing would make copies.
        digests.reserveCapacity(count)
        payload.withUnsafeReadableBytes { bytes in
            for index in 0..<count {
                let start = index * ContentDigest.byteCount
                let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<start + ContentDigest.byteCount])
                if let digest = ContentDigest(bytes: piece) { digests.append(digest) }
            }
        }
        return DigestList(resource: Int(resource), digests: digests)
    }
}

extension DataHeader {
    func write(into buffer: inout ByteBuffer) {
        buffer.writeMultipleIntegers(UInt32(truncatingIfNeeded: resource), offset)
    }
}
