package import NIOCore

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

    /// Creates a query.
    package init(resource: Int, runs: [Range<Int>]) {
        self.resource = resource
        self.runs = runs
    }
}

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

    /// Creates a part.
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

/// Bytes of pieces that the receiver lacks.
package struct RangeRequest: Hashable, Sendable {
    /// The most runs of bytes.
    package static let maximumRunCount = 2048
    /// How far a run begins behind the one before it: about what it costs to begin one.
    package static let minimumGap: UInt64 = 32
    /// How many requests of a resource may be unanswered.
    package static let maximumPendingCount = 64

    static let prefixLength = 4
    static let runLength = 12

    /// The position of the resource in the manifest, from 0.
    package var resource: Int
    /// Runs of bytes of the resource, not yet checked against its size.
    package var runs: [Range<UInt64>]

    /// Creates a request.
    package init(resource: Int, runs: [Range<UInt64>]) {
        self.resource = resource
        self.runs = runs
    }

    /// Divides runs of bytes among requests.
    package static func requests(for runs: ByteRuns, of resource: Int) -> [RangeRequest] {
        // The length of a run has four bytes.
        let runs = runs.ranges.flatMap { run -> [Range<UInt64>] in
            guard run.count > maximumRunLength else { return [run] }
            return stride(from: run.lowerBound, to: run.upperBound, by: Int(maximumRunLength)).map {
                $0..<min(run.upperBound, $0 + UInt64(maximumRunLength))
            }
        }
        var requests: [RangeRequest] = []
        for run in runs {
            // Runs that touch are in two requests.
            if let last = requests.last?.runs, let end = last.last?.upperBound, last.count < maximumRunCount,
                run.lowerBound >= end + minimumGap
            {
                requests[requests.count - 1].runs.append(run)
            } else {
                requests.append(RangeRequest(resource: resource, runs: [run]))
            }
        }
        return requests
    }

    private static let maximumRunLength = 1 << 30

    /// Whether the runs are ascending and far enough from each other.
    var isInOrder: Bool {
        !runs.isEmpty && zip(runs, runs.dropFirst()).allSatisfy { $0.upperBound + Self.minimumGap <= $1.lowerBound }
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

extension RangeRequest {
    func write(into buffer: inout ByteBuffer) {
        buffer.writeInteger(UInt32(truncatingIfNeeded: resource))
        for run in runs {
            buffer.writeMultipleIntegers(run.lowerBound, UInt32(truncatingIfNeeded: run.count))
        }
    }

    static func read(from payload: ByteBuffer) -> RangeRequest? {
        var payload = payload
        guard let resource = payload.readInteger(as: UInt32.self), payload.readableBytes.isMultiple(of: runLength)
        else { return nil }
        var runs: [Range<UInt64>] = []
        runs.reserveCapacity(payload.readableBytes / runLength)
        while let (first, count) = payload.readMultipleIntegers(as: (UInt64, UInt32).self) {
            let (end, isTooLarge) = first.addingReportingOverflow(UInt64(count))
            guard !isTooLarge else { return nil }
            runs.append(first..<end)
        }
        return RangeRequest(resource: Int(resource), runs: runs)
    }
}
