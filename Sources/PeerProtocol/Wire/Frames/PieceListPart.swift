package import NIOCore

/// A part of the answer to a query: some bytes of a ``PieceList``.
package struct PieceListPart: Hashable, Sendable {
    /// The length of each part but the last, in bytes.
    package static let maximumLength = 32_768

    static let prefixLength = 8

    /// The position of the resource in the manifest, from 0.
    package var resource: Int
    /// How many bytes of the list follow in further parts.
    package var rest: Int
    /// The bytes.
    package var bytes: ByteBuffer

    package init(resource: Int, rest: Int, bytes: ByteBuffer) {
        self.resource = resource
        self.rest = rest
        self.bytes = bytes
    }

    /// Cuts a list into parts.
    package static func parts(of list: ByteBuffer, resource: Int) -> [PieceListPart] {
        var list = list
        var parts: [PieceListPart] = []
        while let bytes = list.readSlice(length: min(maximumLength, list.readableBytes)), bytes.readableBytes > 0 {
            parts.append(PieceListPart(resource: resource, rest: list.readableBytes, bytes: bytes))
        }
        return parts
    }
}

extension PieceListPart {
    func write(into buffer: inout ByteBuffer) {
        buffer.writeMultipleIntegers(UInt32(truncatingIfNeeded: resource), UInt32(truncatingIfNeeded: rest))
        buffer.writeImmutableBuffer(bytes)
    }

    static func read(from payload: ByteBuffer) -> PieceListPart? {
        var payload = payload
        guard let (resource, rest) = payload.readMultipleIntegers(as: (UInt32, UInt32).self) else { return nil }
        return PieceListPart(resource: Int(resource), rest: Int(rest), bytes: payload)
    }
}
