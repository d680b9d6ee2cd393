import NIOCore

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
