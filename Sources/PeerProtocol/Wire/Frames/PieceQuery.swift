import NIOCore

/// The receiver asks for the pieces of chunks that it lacks.
package struct PieceQuery: Hashable, Sendable {
    /// The most runs of chunks.
    package static let maximumRunCount = 1024

    static let prefixLength = 4
    static let runLength = 8

    /// The position of the resource in the manifest, from 0.
    package var resource: Int
    /// Runs of chunk positions, not yet checked against the resource's layout.
    package var runs: [Range<Int>]

    package init(resource: Int, runs: [Range<Int>]) {
        self.resource = resource
        self.runs = runs
    }
}

extension PieceQuery {
    func write(into buffer: inout ByteBuffer) {
        buffer.writeInteger(UInt32(truncatingIfNeeded: resource))
        for run in runs {
            buffer.writeMultipleIntegers(
                UInt32(truncatingIfNeeded: run.lowerBound),
                UInt32(truncatingIfNeeded: run.count)
            )
        }
    }

    static func read(from payload: ByteBuffer) -> PieceQuery? {
        var payload = payload
        guard let resource = payload.readInteger(as: UInt32.self), payload.readableBytes.isMultiple(of: runLength)
        else { return nil }
        var runs: [Range<Int>] = []
        runs.reserveCapacity(payload.readableBytes / runLength)
        while let (first, count) = payload.readMultipleIntegers(as: (UInt32, UInt32).self) {
            runs.append(Int(first)..<Int(first) + Int(count))
        }
        return PieceQuery(resource: Int(resource), runs: runs)
    }
}
