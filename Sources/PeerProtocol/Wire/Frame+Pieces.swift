import NIOCore

/// The receiver asks for the page digests of chunks that it lacks.
package struct PageQuery: Hashable, Sendable {
    /// The position of the resource in the manifest, from 0.
    package var resource: Int
    /// Runs of chunk positions, not yet checked against the resource's layout.
    package var runs: [Range<Int>]

    /// Creates a query.
    package init(resource: Int, runs: [Range<Int>]) {
        self.resource = resource
        self.runs = runs
    }

    /// The most runs that a query for the most pages can have: every chunk has four pages or more, but for the last one.
    static func maximumRunCount(_ limits: ProtocolLimits) -> Int {
        limits.maximumPageCount / Int(ChunkLayout.minimumChunkLength / ChunkLayout.pageLength)
    }
}

/// The digests of the pages of the chunks that a query names.
package struct PageDigestList: Hashable, Sendable {
    static let prefixLength = 4

    /// The position of the resource in the manifest, from 0.
    package var resource: Int
    /// The digests, in the order of the query's chunks.
    package var digests: [PageDigest]

    /// Creates a list.
    package init(resource: Int, digests: [PageDigest]) {
        self.resource = resource
        self.digests = digests
    }
}

/// The pages that the receiver lacks, of the chunks that it has queried.
package struct PageRequest: Hashable, Sendable {
    /// The position of the resource in the manifest, from 0.
    package var resource: Int
    /// Runs of page positions in the resource, not yet checked against the query.
    package var runs: [Range<Int>]

    /// Creates a request.
    package init(resource: Int, runs: [Range<Int>]) {
        self.resource = resource
        self.runs = runs
    }

    /// The most runs that a request can have: every other page.
    static func maximumRunCount(_ limits: ProtocolLimits) -> Int {
        limits.maximumPageCount / 2
    }
}

extension PageDigestList {
    func write(into buffer: inout ByteBuffer) {
        buffer.writeInteger(UInt32(truncatingIfNeeded: resource))
        for digest in digests { buffer.writeInteger(digest.bits) }
    }

    static func read(from payload: ByteBuffer) -> PageDigestList? {
        var payload = payload
        guard let resource = payload.readInteger(as: UInt32.self),
            payload.readableBytes.isMultiple(of: PageDigest.byteCount)
        else { return nil }
        var digests: [PageDigest] = []
        digests.reserveCapacity(payload.readableBytes / PageDigest.byteCount)
        while let bits = payload.readInteger(as: UInt64.self) { digests.append(PageDigest(bits: bits)) }
        return PageDigestList(resource: Int(resource), digests: digests)
    }
}

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
