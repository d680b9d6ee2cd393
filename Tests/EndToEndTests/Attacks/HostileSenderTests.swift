import Foundation
import PeerCore
import PeerTestSupport
import RegionStore
import Testing

/// Senders that speak the protocol and lie, against the running program: it refuses, says why, and keeps nothing.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct HostileSenderTests {
    struct Lie: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var words: String
        var code = "refused"
        var change: @Sendable (inout Region) -> Void = { _ in }
        var resources: @Sendable (inout [(ResourceKind, [UInt8])]) throws -> Void = { _ in }
        /// What is sent in place of what was announced.
        var substitute: @Sendable ([UInt8]) -> [UInt8]? = { _ in nil }
    }

    static let lies = [
        Lie(testDescription: "size of the map", words: "is given as 1 and", change: { $0.fileSizeBytes = 1 }),
        Lie(testDescription: "no tiles", words: "no tiles", change: { $0.tileCount = 0 }),
        Lie(testDescription: "a name of spaces", words: "no name", change: { $0.name = "  " }),
        Lie(
            testDescription: "routing that does not come",
            words: "none is offered",
            change: { $0.hasRoutingData = true }
        ),
        Lie(testDescription: "zooms", words: "zooms", change: { $0.zoomLevels = 3...5 }),
        Lie(
            testDescription: "an age that the map does not state",
            words: "its age is not that (no date instead of 2026-01-01)",
            change: { $0.mapDate = Date(timeIntervalSince1970: 1_767_225_600) }
        ),
        Lie(testDescription: "more tiles than announced", words: "16 tiles", change: { $0.tileCount = 15 }),
        Lie(
            testDescription: "bounds",
            words: "another area",
            change: { $0.boundingBox = BoundingBox(north: 1, south: 0, east: 1, west: 0) ?? $0.boundingBox }
        ),
        Lie(
            testDescription: "a wrong byte",
            words: "",
            code: "verificationFailed",
            substitute: { bytes in
                var bytes = bytes
                bytes[bytes.count / 2] ^= 1
                return bytes
            }
        ),
        Lie(
            testDescription: "a map that is none",
            words: "not an SQLite database",
            resources: { $0[0].1 = [UInt8](repeating: 7, count: 20_000) }
        ),
        Lie(
            testDescription: "a map with a trigger",
            words: "trigger",
            resources: { resources in
                resources[0].1 = try HostileSenderTests.map(
                    more: "CREATE TRIGGER t AFTER DELETE ON tiles BEGIN DELETE FROM metadata; END"
                )
            }
        ),
        Lie(
            testDescription: "a map with a virtual table",
            words: "virtual",
            resources: { $0[0].1 = try HostileSenderTests.map(more: "CREATE VIRTUAL TABLE v USING fts4(x)") }
        ),
        Lie(
            testDescription: "a map whose tiles are computed",
            words: "views do more",
            resources: { resources in
                resources[0].1 = try HostileSenderTests.map(
                    more: """
                        DROP TABLE tiles;
                        CREATE VIEW tiles AS WITH RECURSIVE n(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM n)
                        SELECT 12 AS zoom_level, x AS tile_column, 0 AS tile_row, x'89504E47' AS tile_data FROM n;
                        """
                )
            }
        ),
        Lie(
            testDescription: "a map with a log",
            words: "WAL",
            resources: { $0[0].1.replaceSubrange(18..<20, with: [2, 2]) }
        ),
        Lie(
            testDescription: "a map without data",
            words: "none of its tiles has data",
            resources: { $0[0].1 = try HostileSenderTests.map(more: "UPDATE tiles SET tile_data = NULL") }
        ),
        Lie(testDescription: "a map that is cut off", words: "cut off", resources: { $0[0].1.removeLast(8192) }),
        Lie(testDescription: "no map", words: "map is not part", resources: { $0.removeFirst() }),
        Lie(
            testDescription: "waypoints that are no JSON",
            words: "JSON",
            resources: { $0[1].1 = Array("[{".utf8) }
        ),
        Lie(
            testDescription: "a routing database that is a map",
            words: "routing",
            resources: { $0.append((.routing, $0[0].1)) }
        ),
    ]

    @Test(arguments: lies)
    func aLieIsRefusedAndNothingIsKept(lie: Lie) async throws {
        // What was verified before the wrong byte may stay for the next transfer.
        try await withLaptop(mayKeepParts: lie.code == "verificationFailed") { laptop in
            var resources = try Self.truth()
            try lie.resources(&resources)
            var source = try LyingSource(try Self.region(), resources, change: lie.change)
            if let map = source.resources[.mbtiles] { source.substitutes[.mbtiles] = lie.substitute(map) }
            try await HostileSender.serve(source) { port, finished in
                let received = try await laptop.receive(from: port)
                #expect(received.code == 6, "\(received)")
                let problem = try received.problem()
                #expect(problem["code"]?.string == lie.code, "\(received)")
                let message = problem["message"]?.string ?? ""
                #expect(!message.isEmpty)
                #expect(lie.words.isEmpty || message.contains(lie.words), "\(received)")
                // The sender learns that it was not taken, and nothing of this machine's folders.
                let outcome = try #require(await finished.first { _ in true })
                guard case .failure(let error) = outcome.result else {
                    Issue.record("the sender believes that it was taken")
                    return
                }
                #expect(!"\(error)".contains(laptop.store), "\(error)")
            }
        }
    }

    @Test func aKindThatIsNotKnownIsLeftOut() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("b"))
            let sketches = try #require(ResourceKind(rawValue: "sketches"))
            let resources = try Self.truth() + [(sketches, [UInt8](repeating: 1, count: 100_000))]
            try await HostileSender.serve(try LyingSource(try Self.region(), resources)) { port, finished in
                let received = try await laptop.receive(from: port)
                #expect(received.code == 0, "\(received)")
                let last = try #require(try received.lines.last)
                #expect(last["imported"] == .object(["mbtiles": .number(1), "waypoints": .number(1)]))
                let offered = try #require(try received.lines("offer").first)["resources"]?.array ?? []
                let unknown = try #require(offered.first { $0["kind"]?.string == "sketches" })
                #expect(unknown["wanted"]?.bool == false)
                let outcome = try #require(await finished.first { _ in true })
                #expect(throws: Never.self) { try outcome.result.get() }
                #expect(outcome.bytesTransferred < 100_000)
            }
            let contents = try StoreContents(of: laptop.store)
            #expect(contents.count("region") == 1)
            #expect(contents.unfinished.isEmpty)
        }
    }

    @Test func aRegionThatIsHereIsNotReplacedByALie() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("b"))
            var region = try Self.region()
            var truth = try Self.truth()
            // An older map, or one of unknown age, would not be looked at.
            truth[0].1 = try Self.map(more: "INSERT INTO metadata VALUES ('date', '2025-01-01')")
            region.mapDate = Date(timeIntervalSince1970: 1_735_689_600)
            // A stranger's map would not be looked at.
            let friend = try PeerIdentity.generate(for: .hikeshare)
            try await laptop.must("peers", "trust", friend.id.hex, "--name", "Mallory")
            try await HostileSender.serve(try LyingSource(region, truth), identity: friend) { port, _ in
                let received = try await laptop.receive(from: port)
                #expect(received.code == 0, "\(received)")
            }
            let before = try StoreContents(of: laptop.store)
            var lie = truth
            lie[0].1 = try Self.map(
                more: "UPDATE tiles SET tile_data = NULL; INSERT INTO metadata VALUES ('date', '2026-01-01')"
            )
            region.mapDate = Date(timeIntervalSince1970: 1_767_225_600)
            try await HostileSender.serve(try LyingSource(region, lie), identity: friend) { port, _ in
                let received = try await laptop.receive(from: port)
                #expect(received.code == 6, "\(received)")
            }
            try await laptop.must("list")
            #expect(try StoreContents(of: laptop.store) == before)
        }
    }

    @Test func aStrangersNewerItemsDoNotReplaceThoseHereUnasked() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("b"))
            let region = try Self.region()
            let truth = try Self.truth()
            try await HostileSender.serve(try LyingSource(region, truth)) { port, _ in
                let received = try await laptop.receive(from: port)
                #expect(received.code == 0, "\(received)")
            }
            let before = try StoreContents(of: laptop.store)
            let lie = String(decoding: truth[1].1, as: UTF8.self)
                .replacingOccurrences(of: "\"Hut\"", with: "\"Trap\",\"modifiedAt\":\"2026-11-20T00:00:00Z\"")
            #expect(lie.contains("Trap"))
            let items = [truth[0], (.waypoints, Array(lie.utf8))]
            try await HostileSender.serve(try LyingSource(region, items)) { port, _ in
                let received = try await laptop.receive(from: port)
                #expect(received.code == 0, "\(received)")
                #expect(try received.lines.last?["keptLocal"] == .object(["waypoints": .number(1)]))
            }
            #expect(try StoreContents(of: laptop.store).rows["waypoint"] == before.rows["waypoint"])
            // Somebody who is known may.
            let friend = try PeerIdentity.generate(for: .hikeshare)
            try await laptop.must("peers", "trust", friend.id.hex, "--name", "Mallory")
            try await HostileSender.serve(try LyingSource(region, items), identity: friend) { port, _ in
                let received = try await laptop.receive(from: port)
                #expect(try received.lines.last?["imported"] == .object(["waypoints": .number(1)]), "\(received)")
            }
        }
    }

    /// Where a sender says that its map is, which shows the place that is here, too.
    @Test(arguments: [(2, 1), (85, 180)] as [(Double, Double)])
    func aStrangersMapDoesNotTakeTheOldOnesPlaceUnasked(north: Double, east: Double) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("b"))
            var region = try Self.region()
            try await HostileSender.serve(try LyingSource(region, try Self.truth())) { port, _ in
                let received = try await laptop.receive(from: port)
                #expect(received.code == 0, "\(received)")
            }
            let before = try StoreContents(of: laptop.store)
            // Valid in itself, under an id that everybody knows who ever got the region.
            region.name = "Tirol"
            region.boundingBox = try #require(
                BoundingBox(north: north, south: north == 2 ? 1 : -85, east: east, west: east == 1 ? 0 : -180)
            )
            var other = try Self.truth()
            other[0].1 = try Self.map(more: "UPDATE metadata SET value = 'Tirol' WHERE name = 'name'")
            try await HostileSender.serve(try LyingSource(region, other)) { port, finished in
                let received = try await laptop.receive(from: port)
                #expect(received.code == 5, "\(received)")
                #expect(try received.problem()["code"]?.string == "notTrusted")
                let message = try received.problem()["message"]?.string ?? ""
                #expect(message.contains("cannot replace yours without a question"), "\(message)")
                let outcome = try #require(await finished.first { _ in true })
                guard case .failure(let error) = outcome.result else {
                    Issue.record("the sender believes that it was taken")
                    return
                }
                #expect(!"\(error)".contains("Nordkette"), "\(error)")
            }
            try await laptop.must("list")
            #expect(try StoreContents(of: laptop.store) == before)
        }
    }

    @Test func whatASenderCallsThingsCannotCommandATerminal() async throws {
        try await TemporaryDirectory.with { directory in
            var region = try Self.region()
            region.name = "Evil\u{1B}]0;owned\u{07}\u{1B}[2J\u{202E}Peak"
            let source = try LyingSource(region, try Self.truth())
            try await HostileSender.serve(source, as: "M\u{1B}[31mallory\u{9B}1m") { port, _ in
                for format in ["json", "text"] {
                    let store = directory.path("store-" + format)
                    let received = try await Laptop(store: store).start(
                        ["receive", "--yes", "--connect", "127.0.0.1:\(port)", "--format", format]
                    ) { await $0.ending() }
                    #expect(received.code == 0, "\(received)")
                    let all = (received.output + received.errorOutput).joined(separator: "\n")
                    #expect(all.contains("Peak"))
                    for scalar: Unicode.Scalar in ["\u{1B}", "\u{07}", "\u{9B}", "\u{202E}"] {
                        #expect(!all.unicodeScalars.contains(scalar), "\(scalar.value) in \(format)")
                    }
                    let listed = try await Laptop(store: store).tell("list")
                    #expect(listed.code == 0 && !listed.output.joined().unicodeScalars.contains("\u{1B}"))
                }
            }
        }
    }

    /// A laptop that has a region already, which must stay as it is.
    private func withLaptop(mayKeepParts: Bool = false, _ body: (Laptop) async throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try MapMaker.make(directory.path("own.mbtiles"), name: "Own", seed: 99)
            try await laptop.must("import", directory.path("own.mbtiles"))
            let before = try StoreContents(of: laptop.store)
            try await body(laptop)
            try await laptop.must("list")
            var after = try StoreContents(of: laptop.store)
            if mayKeepParts { after.incoming = before.incoming }
            #expect(after == before)
        }
    }
}
