import NIOCore

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

    package init(resource: Int, runs: [Range<Int>]) {
        self.resource = resource
        self.runs = runs
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
