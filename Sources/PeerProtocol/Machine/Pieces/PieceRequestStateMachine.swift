package import NIOCore

/// The receiver's search for the pages of one resource that an older version does not have.
///
/// It goes round by round, each over as many chunks as one query may name: ask for the digests of their pages, compare
/// them, ask for the pages that differ, put the chunks together. A chunk that does not match its digest counts as
/// missing, and is requested once at the end like every other missing chunk.
struct PageRequestStateMachine: Sendable {
    private enum State {
        /// Can become `queried`, if there is anything left to compare.
        case idle
        /// The digests of the pages of these chunks are awaited. Can become `comparing`.
        case queried(ChunkRuns)
        /// They came. Can become `arriving`.
        case comparing(ChunkRuns)
        /// The pages that differ are on the way, or have all come. Can become `idle`.
        case arriving(ChunkRuns, ChunkCursor)
    }

    private let layout: ChunkLayout
    private let maximumPageCount: Int
    private var missing: RangeSet<Int>
    private var comparable: RangeSet<Int>
    private var state: State = .idle

    /// Creates a search.
    ///
    /// - Parameters:
    ///   - layout: The resource's layout.
    ///   - missing: All chunks that are missing.
    ///   - comparable: Those of them for which there is an older version.
    ///   - maximumPageCount: The most pages to ask for the digests of at once.
    init(layout: ChunkLayout, missing: ChunkRuns, comparable: ChunkRuns, maximumPageCount: Int) {
        self.layout = layout
        self.maximumPageCount = maximumPageCount
        self.missing = RangeSet(missing.ranges)
        self.comparable = RangeSet(comparable.ranges).intersection(self.missing)
    }

    /// The chunks that are to be asked for as a whole.
    var missingChunks: ChunkRuns {
        layout.runs(validating: Array(missing.ranges)) ?? layout.allChunks
    }

    /// Whether digests of pages that were asked for have yet to come.
    var isAwaitingDigests: Bool {
        if case .queried = state { true } else { false }
    }

    /// Whether pages that were asked for have yet to come.
    var isAwaitingPages: Bool {
        if case .arriving(_, let cursor) = state { !cursor.isAtEnd } else { false }
    }

    /// Begins the next round; nil if nothing is left to compare.
    mutating func nextQuery() -> ChunkRuns? {
        guard case .idle = state else { return nil }
        var chosen = RangeSet<Int>()
        var room = maximumPageCount
        for chunk in comparable.ranges.joined() {
            room -= layout.pages(of: chunk..<chunk + 1).count
            guard room >= 0 else { break }
            chosen.insert(contentsOf: chunk..<chunk + 1)
        }
        guard !chosen.isEmpty, let chunks = layout.runs(validating: Array(chosen.ranges)) else { return nil }
        comparable.subtract(chosen)
        state = .queried(chunks)
        return chunks
    }

    /// Takes so many page digests; returns their chunks, or nil if the digests were not requested.
    mutating func receivedDigests(count: Int) -> ChunkRuns? {
        guard case .queried(let chunks) = state, count == chunks.pageCount(in: layout) else { return nil }
        state = .comparing(chunks)
        return chunks
    }

    /// Asks for the pages that differ; false if none are being compared.
    mutating func compared(_ differing: PageRuns) -> Bool {
        guard case .comparing(let chunks) = state else { return false }
        state = .arriving(chunks, ChunkCursor(pages: differing, layout: layout))
        return true
    }

    /// Ends the round without asking for pages; false if none are being compared.
    mutating func comparedForSurvey() -> Bool {
        guard case .comparing = state else { return false }
        state = .idle
        return true
    }

    /// Takes a piece of the pages; false if it is not the next one.
    mutating func received(_ header: DataHeader) -> Bool {
        guard case .arriving(let chunks, var cursor) = state,
            cursor.pass(offset: header.offset, length: header.length)
        else { return false }
        state = .arriving(chunks, cursor)
        return true
    }

    /// Ends the round; false if not all of its pages are there.
    mutating func assembled(except failed: ChunkRuns) -> Bool {
        guard case .arriving(let chunks, let cursor) = state, cursor.isAtEnd else { return false }
        missing.subtract(RangeSet(chunks.ranges))
        missing.formUnion(RangeSet(failed.ranges).intersection(RangeSet(chunks.ranges)))
        state = .idle
        return true
    }
}

/// Finds the pages that differ from an older version's at the same place.
package struct PageComparison: Sendable {
    private let layout: ChunkLayout
    private let chunks: ChunkRuns
    private let digests: [PageDigest]

    /// Creates a comparison.
    ///
    /// - Parameters:
    ///   - layout: The resource's layout.
    ///   - chunks: The chunks to compare.
    ///   - digests: The digests of all their pages, in order.
    package init(layout: ChunkLayout, chunks: ChunkRuns, digests: [PageDigest]) {
        self.layout = layout
        self.chunks = chunks
        self.digests = digests
    }

    /// Compares.
    ///
    /// - Parameter older: Reads what the older version has at a place; fewer bytes if it ends before.
    /// - Returns: The pages that differ, in runs that end where a run of chunks does.
    package func differingPages(from older: (Range<UInt64>) -> ByteBuffer) -> PageRuns {
        var runs: [Range<Int>] = []
        var expected = digests.makeIterator()
        for chunkRun in chunks.ranges {
            let first = layout.pages(of: chunkRun).lowerBound
            for position in chunkRun {
                let bytes = older(layout.byteRange(of: position..<position + 1))
                let own = bytes.withUnsafeReadableBytes { PageDigest.digests(of: $0) }
                for (index, page) in layout.pages(of: position..<position + 1).enumerated() {
                    // A page that is cut off in one of the two versions has another digest there.
                    let digest = expected.next()
                    if index < own.count, own[index] == digest { continue }
                    if page > first, let last = runs.last, last.upperBound == page {
                        runs[runs.count - 1] = last.lowerBound..<page + 1
                    } else {
                        runs.append(page..<page + 1)
                    }
                }
            }
        }
        return layout.pageRuns(validating: runs, inside: chunks) ?? .none
    }
}
