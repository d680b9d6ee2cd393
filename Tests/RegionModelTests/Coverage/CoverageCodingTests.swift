import RegionModel
import Testing

@Suite("Coverage coding")
struct CoverageCodingTests {
    @Test func isReadAsItWasWritten() throws {
        var generator = SplitMix(state: 3)
        for _ in 0..<50 {
            var builder = CoverageBuilder()
            for _ in 0..<Int.random(in: 1...400, using: &generator) {
                let zoom = Int.random(in: 0...30, using: &generator)
                let last = min(200, (1 << zoom) - 1)
                builder.add(
                    zoomLevel: zoom,
                    column: (1 << zoom) - 1 - Int.random(in: 0...last, using: &generator),
                    row: Int.random(in: 0...last, using: &generator)
                )
            }
            let coverage = try #require(builder.coverage)
            #expect(Coverage(bytes: coverage.bytes) == coverage)
        }
    }

    /// The bytes that ItemFormats.md explains.
    @Test func hasTheDescribedForm() throws {
        let coverage = try #require(Coverage.of([3: [(4, 2), (5, 2), (4, 3), (5, 3), (2, 4), (7, 4)]]))
        #expect(coverage.bytes == [1, 1, 3, 3, 6, 2, 2, 1, 0, 8, 1, 0, 0, 1, 3, 0, 3, 0])
    }

    /// A zoom level that is stated as an own one, although all of its tiles have tiles of a higher one in them.
    @Test func statedOwnLevelsAreMarked() throws {
        let tiles = try #require(Coverage.of([2: [(2, 1)], 3: [(4, 2)]]))
        let stated = tiles.stating(ownZooms: [2, 7])
        #expect(tiles.ownLevels.map(\.zoomLevel) == [3] && stated.ownLevels.map(\.zoomLevel) == [2, 3])
        #expect(stated.bytes == [2, 2, 0x22, 2, 1, 1, 1, 0, 0, 4, 0, 3, 3, 1, 1, 2, 0, 0, 8, 0])
        #expect(Coverage(bytes: stated.bytes) == stated)
        #expect(Coverage(bytes: [1] + stated.bytes.dropFirst()) == nil)
        #expect(stated.mirrored?.ownLevels.count == 2)
    }

    @Test(
        arguments: [
            ([], "nothing"),
            ([1], "no number of levels"),
            ([1, 0], "no level"),
            ([2, 1, 3, 3, 1, 1, 2, 0, 0, 8, 0], "another form"),
            ([1, 2, 3, 3, 1, 1, 2, 0, 0, 8, 0], "fewer levels than announced"),
            ([1, 1, 3, 3, 1, 1, 2, 0, 0, 8, 0, 0], "a byte too many"),
            ([1, 1, 31, 3, 1, 1, 2, 0, 0, 8, 0], "a zoom level that does not exist"),
            ([2, 1, 0x3F, 3, 1, 1, 2, 0, 0, 8, 0], "a marked zoom level that does not exist"),
            ([1, 1, 3, 4, 1, 1, 2, 0, 0, 8, 0], "more detail than the zoom level"),
            ([1, 1, 3, 3, 0, 1, 2, 0, 0, 8, 0], "no tiles"),
            ([1, 1, 3, 3, 1, 1, 2, 0, 0, 8, 1], "fewer tiles than are described"),
            ([1, 1, 3, 3, 1, 0], "no rows"),
            ([1, 1, 3, 3, 1, 1, 8, 0, 0, 8, 0], "a row that does not exist"),
            ([1, 1, 3, 3, 9, 1, 7, 1, 0, 8, 0], "rows past the last one"),
            ([1, 1, 3, 3, 1, 1, 2, 0, 0, 16, 0], "a column that does not exist"),
            ([1, 1, 3, 3, 1, 1, 2, 0, 0, 1, 0], "a column below zero"),
            ([1, 1, 3, 3, 9, 1, 2, 0, 0, 8, 4], "columns past the last one"),
            ([1, 2, 3, 3, 1, 1, 2, 0, 0, 8, 0, 3, 3, 1, 1, 2, 0, 0, 8, 0], "a zoom level twice"),
            (
                [1, 1, 3, 3, 1, 1, 2, 0, 0, 0x88, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0],
                "a number without end"
            ),
            (
                [1, 1, 30, 30, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 1, 0, 0xFF, 0xFF, 0xFF, 0xFF, 3, 0, 0, 0],
                "rows without number"
            ),
        ] as [([UInt8], String)]
    )
    func hostileBytesAreRefused(bytes: [UInt8], what: String) {
        #expect(Coverage(bytes: bytes) == nil, "\(what)")
    }

    @Test func moreBytesThanAllowedAreRefused() {
        #expect(Coverage(bytes: [1] + [UInt8](repeating: 1, count: Coverage.maximumLength)) == nil)
    }

    /// The bytes are changed at random: they are refused, or describe something that can be written again.
    @Test func changedBytesDoNoHarm() throws {
        var generator = SplitMix(state: 11)
        let coverage = try #require(Coverage.of([3: [(4, 2), (5, 2), (2, 4), (7, 4)], 9: [(40, 99), (300, 300)]]))
        for _ in 0..<20_000 {
            var bytes = coverage.bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            guard let read = Coverage(bytes: bytes) else { continue }
            #expect(Coverage(bytes: read.bytes) == read)
            #expect(read.area != nil)
        }
    }
}
