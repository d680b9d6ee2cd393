import NIOCore

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
