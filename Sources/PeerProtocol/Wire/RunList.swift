import NIOCore

/// The form that queries and requests for pages have: a resource, and runs of positions in it.
struct RunList {
    static let prefixLength = 4
    static let runLength = 8

    var resource: Int
    var runs: [Range<Int>]

    static func payloadLength(runCount: Int) -> Int {
        prefixLength + runLength * runCount
    }

    func write(into buffer: inout ByteBuffer) {
        buffer.writeInteger(UInt32(truncatingIfNeeded: resource))
        for run in runs {
            buffer.writeMultipleIntegers(
                UInt32(truncatingIfNeeded: run.lowerBound),
                UInt32(truncatingIfNeeded: run.count)
            )
        }
    }

    static func read(from payload: ByteBuffer) -> RunList? {
        var payload = payload
        guard let resource = payload.readInteger(as: UInt32.self), payload.readableBytes.isMultiple(of: runLength)
        else {
            return nil
        }
        var runs: [Range<Int>] = []
        runs.reserveCapacity(payload.readableBytes / runLength)
        while let (first, count) = payload.readMultipleIntegers(as: (UInt32, UInt32).self) {
            runs.append(Int(first)..<Int(first) + Int(count))
        }
        return RunList(resource: Int(resource), runs: runs)
    }
}
