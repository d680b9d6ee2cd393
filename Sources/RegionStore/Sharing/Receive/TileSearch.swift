import MapFiles
import NIOCore
import PeerProtocol
import PeerStorage

/// Finds tiles of an incoming map in the maps of the store, wherever they lie.
struct TileSearch: Sendable {
    /// A map and its index.
    struct Map: Sendable {
        let file: OpenFile
        let index: TileIndex
    }

    /// The most maps that are searched.
    static let maximumMapCount = 16

    let maps: [Map]

    /// Finds the pieces of a list.
    func pieces(of list: PieceList) throws -> FoundTiles {
        var numbers: [UInt64: Int] = [:]
        numbers.reserveCapacity(list.digests.count)
        for (number, digest) in list.digests.enumerated() { numbers[digest.bits] = number }
        var places: [FoundTiles.Place] = []
        var seen: Set<UInt64> = []
        for (map, entry) in maps.enumerated() {
            try entry.index.scan { span in
                guard let number = numbers[span.digest.bits], places.count < FoundTiles.maximumPlaceCount,
                    // A tile that a map has often is needed once.
                    seen.insert(UInt64(number) << 32 | UInt64(span.pieceOffset)).inserted
                else { return }
                places.append(
                    FoundTiles.Place(
                        piece: UInt32(number),
                        pieceOffset: span.pieceOffset,
                        length: span.length,
                        map: UInt32(map),
                        offset: span.offset
                    )
                )
            }
        }
        return FoundTiles(maps, places, pieceCount: list.digests.count)
    }
}

/// Where the maps of a store have the pieces of a list.
struct FoundTiles: LocalPieces {
    /// Bytes of a piece in a map.
    struct Place {
        var piece: UInt32
        var pieceOffset: UInt32
        var length: UInt32
        var map: UInt32
        var offset: UInt64
    }

    /// The most places that are noted.
    static let maximumPlaceCount = 262_144

    private let maps: [TileSearch.Map]
    private let places: [Place]
    /// For each piece, its first place, and behind the last piece the number of places.
    private let first: [Int]
    /// How many bytes of each piece are there.
    private let lengths: [Int]

    init(_ maps: [TileSearch.Map], _ found: [Place], pieceCount: Int) {
        self.maps = maps
        places = found.sorted { ($0.piece, $0.pieceOffset) < ($1.piece, $1.pieceOffset) }
        var first: [Int] = []
        var lengths = [Int](repeating: 0, count: pieceCount)
        for (index, place) in places.enumerated() {
            let piece = Int(place.piece)
            while first.count <= piece { first.append(index) }
            if Int(place.pieceOffset) <= lengths[piece] {
                lengths[piece] = max(lengths[piece], Int(place.pieceOffset) + Int(place.length))
            }
        }
        while first.count <= pieceCount { first.append(places.count) }
        self.first = first
        self.lengths = lengths
    }

    func has(_ piece: Int, length: Int) -> Bool {
        lengths.indices.contains(piece) && lengths[piece] >= length
    }

    func read(_ piece: Int, from offset: Int, into space: UnsafeMutableRawBufferPointer) -> Bool {
        guard lengths.indices.contains(piece) else { return false }
        var done = 0
        for place in places[first[piece]..<first[piece + 1]] where done < space.count {
            let start = Int(place.pieceOffset)
            guard start <= offset + done else { return false }
            let skipped = offset + done - start
            guard skipped < Int(place.length) else { continue }
            let count = min(Int(place.length) - skipped, space.count - done)
            let target = UnsafeMutableRawBufferPointer(rebasing: space[done..<done + count])
            guard read(place, skipping: UInt64(skipped), into: target) else { return false }
            done += count
        }
        return done == space.count
    }

    private func read(_ place: Place, skipping skipped: UInt64, into space: UnsafeMutableRawBufferPointer) -> Bool {
        let map = maps[Int(place.map)]
        var (position, left, skipped, done) = (place.offset, UInt64(place.length), skipped, 0)
        while done < space.count, left > 0 {
            let run = map.index.shape.run(from: position, length: left)
            position = run.upperBound
            left -= UInt64(run.count)
            guard skipped < run.count else {
                skipped -= UInt64(run.count)
                continue
            }
            let count = min(run.count - Int(skipped), space.count - done)
            let target = UnsafeMutableRawBufferPointer(rebasing: space[done..<done + count])
            guard (try? map.file.read(into: target, at: run.lowerBound + skipped)) == count else { return false }
            skipped = 0
            done += count
        }
        return done == space.count
    }
}
