import Foundation
import GRDB
import PeerTestSupport
import Testing

/// A newer version of a map to a laptop that has the older one, over loopback, everything that crosses counted.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct NewerVersionTests {
    enum Change: String, CaseIterable {
        /// The tiles of one area.
        case valley
        /// Tiles wherever chance has it.
        case scattered
    }

    private static let tilesPerSide = 40
    private static let changedTileCount = 80

    /// Makes a map of 1,600 tiles of 1 to 30 kB.
    private static func makeMap(_ path: String) throws {
        try MapMaker.make(path, name: "Older", tiles: 1)
        var generator = SeededGenerator(seed: 21)
        try MapMaker.database(path) { database in
            for index in 1..<tilesPerSide * tilesPerSide {
                try database.execute(
                    sql: "INSERT INTO tiles VALUES (12, ?, ?, ?)",
                    arguments: [
                        2176 + index % tilesPerSide, 2656 + index / tilesPerSide, tile(1000...30_000, &generator),
                    ]
                )
            }
        }
    }

    /// Draws 5 % of the tiles again, in place: most pages of the file stay what they are, where they are.
    private static func update(_ path: String, _ change: Change) throws {
        var generator = SeededGenerator(seed: 22)
        let all = Array(1...tilesPerSide * tilesPerSide)
        let rows =
            switch change {
            case .valley:
                all.filter { ($0 - 1) % tilesPerSide < 10 && (8..<16).contains(($0 - 1) / tilesPerSide) }
            case .scattered: Array(all.shuffled(using: &generator).prefix(changedTileCount))
            }
        #expect(rows.count == changedTileCount)
        try MapMaker.database(path) { database in
            for row in rows {
                let length = try Int.fetchOne(
                    database,
                    sql: "SELECT length(tile_data) FROM tiles WHERE rowid = ?",
                    arguments: [row]
                )
                let about = try #require(length)
                try database.execute(
                    sql: "UPDATE tiles SET tile_data = ? WHERE rowid = ?",
                    arguments: [tile(about * 9 / 10...about * 11 / 10, &generator), row]
                )
            }
        }
    }

    private static func tile(_ length: ClosedRange<Int>, _ generator: inout SeededGenerator) -> Data {
        Data(MapMaker.png + generator.bytes(Int.random(in: length, using: &generator)))
    }

    /// Returns how many bytes the pages of the newer file have that are not the same in the older one.
    private static func changedBytes(_ older: Data, _ newer: Data) -> Int {
        stride(from: 0, to: newer.count, by: 4096).reduce(0) { sum, start in
            let page = newer[start..<min(start + 4096, newer.count)]
            return start < older.count && older[start..<min(start + 4096, older.count)] == page ? sum : sum + page.count
        }
    }

    private static func data(_ path: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path))
    }

    @Test(arguments: Change.allCases, ["required", "none"])
    func littleMoreThanTheChangedPagesCrosses(change: Change, encryption: String) async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, receiver) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            let path = directory.path("map.mbtiles")
            try Self.makeMap(path)
            try await sender.must("import", path)
            try await receiver.must("import", path)
            let older = try Self.data(path)
            try Self.update(path, change)
            let newer = try Self.data(path)
            try await sender.must("import", path, "--name", "Newer")
            let changed = Self.changedBytes(older, newer)
            #expect(changed > newer.count / 25 && changed < newer.count / 10)

            let options = ["--encryption", encryption]
            let (last, count) = try await sender.sendQuietly("Newer", options) { running in
                try await CountingRelay.with(toPort: running.port) { port, count in
                    let received = try await receiver.receive(from: port, "--encryption", encryption)
                    #expect(received.code == 0, "\(received)")
                    let told = try await running.ended(transfer: 1)
                    let last = try #require(try received.lines("received").last)
                    #expect(told["bytes"] == last["bytes"])
                    #expect(told["bytesSaved"] == last["bytesSaved"])
                    return (last, count())
                }
            }
            let bytes = try #require(last["bytes"]?.int)
            let saved = try #require(last["bytesSaved"]?.int)
            // The lists of hikes, routes and waypoints are there, too, and empty.
            #expect(bytes - changed < 100)
            // Of a changed page, only the bytes of changed tiles cross.
            #expect(saved >= newer.count - changed && abs(saved + bytes - newer.count) < 100)
            let factor = Double(count) / Double(changed)
            // Headers of TCP and IP, about 7 % on Ethernet, are not counted here.
            #expect(factor * 1.07 < 1.25, "\(change): \(count) bytes for \(changed), \(factor)")

            let files = try StoreContents(of: receiver.store).files
            #expect(files.count == 2)
            #expect(try Set(files.values) == Set(StoreContents(of: sender.store).files.values))
        }
    }

    @Test func aMapThatIsThereUnderAnotherNameDoesNotCross() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, receiver) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            let path = directory.path("map.mbtiles")
            try MapMaker.make(path, tiles: 64, tileLength: 20_000)
            try await sender.must("import", path, "--name", "Theirs")
            try await receiver.must("import", path, "--name", "Ours")
            try await sender.sendQuietly("Theirs") { running in
                let received = try await receiver.receive(from: running.port)
                #expect(received.code == 0, "\(received)")
                let last = try #require(try received.lines("received").last)
                #expect(try #require(last["bytes"]?.int) < 100)
                #expect(try #require(last["bytesSaved"]?.int) == (try Self.data(path)).count)
                #expect(last["imported"] == .object(["mbtiles": .number(1)]))
            }
            #expect(try StoreContents(of: receiver.store).count("region") == 2)
            let again = try await receiver.tell("show", "Theirs")
            #expect(again.code == 0, "\(again)")
        }
    }
}
