package import NIOCore
package import PeerProtocol

/// A list of pieces, and what a storage has of them.
package struct PieceComparison: Sendable {
    /// The list.
    package let list: PieceList
    private let basis: DeltaBasis
    private let local: (any LocalPieces)?
    /// Whether each run of bytes of a piece is present.
    private let isPresent: [Bool]

    /// Looks for the pieces of a list.
    ///
    /// Blocks.
    package init(_ list: PieceList, with basis: DeltaBasis) {
        self.list = list
        self.basis = basis
        let local = basis.pieces(of: list)
        self.local = local
        var lengths = [Int](repeating: 0, count: list.digests.count)
        for run in list.runs {
            let piece = Int(run.piece)
            lengths[piece] = max(lengths[piece], Int(run.pieceOffset) + Int(run.length))
        }
        let found = lengths.indices.map { local?.has($0, length: lengths[$0]) == true }
        var isPresent = list.runs.map { found[Int($0.piece)] }
        Self.compareInPlace(list, found, basis, &isPresent)
        self.isPresent = isPresent
    }

    /// Finds pieces that the older version has at the same place.
    private static func compareInPlace(
        _ list: PieceList,
        _ found: [Bool],
        _ basis: DeltaBasis,
        _ isPresent: inout [Bool]
    ) {
        var open: [Int: [Int]] = [:]
        for (index, run) in list.runs.enumerated() where !found[Int(run.piece)] {
            open[Int(run.piece), default: []].append(index)
        }
        for (piece, indexes) in open {
            // Where a piece occurs twice, only its first place is compared.
            var (end, chosen): (UInt32, [Int]) = (0, [])
            for index in indexes.sorted(by: { list.runs[$0].pieceOffset < list.runs[$1].pieceOffset })
            where list.runs[index].pieceOffset == end {
                chosen.append(index)
                end += list.runs[index].length
            }
            var hasher = PieceDigest.Hasher()
            var isWhole = !chosen.isEmpty
            for index in chosen where isWhole {
                let bytes = basis.bytes(in: list.runs[index].byteRange)
                isWhole = bytes.readableBytes == Int(list.runs[index].length)
                bytes.withUnsafeReadableBytes { hasher.update($0) }
            }
            guard isWhole, hasher.finalize() == list.digests[piece] else { continue }
            for index in chosen { isPresent[index] = true }
        }
    }

    /// Returns the bytes of chunks that are present nowhere.
    package func missing(of wanted: ChunkRuns) -> ByteRuns { list.missing(of: wanted) { isPresent[$0] } }

    /// The keys of the pieces that are not completely present.
    package var differingKeys: [UInt64] {
        var isMissing = Set<Int>()
        for (index, run) in list.runs.enumerated() where !isPresent[index] { isMissing.insert(Int(run.piece)) }
        return list.keys.filter { isMissing.contains($0.piece) }.map(\.key)
    }

    /// Whether a piece that is not present is shorter than a length, as far as the list has it.
    package func lacksPiece(shorterThan length: Int) -> Bool {
        var ends: [UInt32: Int] = [:]
        for (index, run) in list.runs.enumerated() where !isPresent[index] {
            ends[run.piece] = max(ends[run.piece] ?? 0, Int(run.pieceOffset) + Int(run.length))
        }
        return ends.values.contains { $0 < length }
    }

    /// Returns a chunk as far as it is known; the other bytes have a value, 0 if none is given.
    ///
    /// Blocks.
    package func bytes(of chunk: Int, _ layout: ChunkLayout, filling: UInt8 = 0) -> ByteBuffer {
        let range = layout.byteRange(of: chunk..<chunk + 1)
        var bytes = ByteBuffer()
        bytes.writeRepeatingByte(filling, count: range.count)
        for part in list.parts(of: chunk) {
            let place = Int(part.byteRange.lowerBound - range.lowerBound)
            switch part.source {
            case .skeleton(let start):
                list.writeSkeleton(from: start, count: part.byteRange.count, to: &bytes, at: place)
            case .piece(let piece, let start, let run) where isPresent[run]:
                let isRead = bytes.withUnsafeMutableReadableBytes { space in
                    let target = UnsafeMutableRawBufferPointer(rebasing: space[place..<place + part.byteRange.count])
                    return local?.read(piece, from: start, into: target) == true
                }
                if !isRead { bytes.setBuffer(basis.bytes(in: part.byteRange), at: place) }
            case .piece:
                break
            }
        }
        return bytes
    }
}

extension IncomingTransfer {
    /// Combines a chunk from what arrived and what is present, and stores it; false if it does not match its digest.
    package func keep(
        _ chunk: PieceAssembler.GatheredChunk,
        with comparison: PieceComparison,
        of entry: ManifestEntry
    ) throws -> Bool {
        let present = comparison.bytes(of: chunk.position, entry.layout)
        guard let bytes = chunk.assembled(with: present) else { return false }
        let offset = chunk.byteRange.lowerBound
        try writeAssembled(bytes, at: offset, of: entry, arrivedCount: chunk.arrivedCount)
        return true
    }
}
