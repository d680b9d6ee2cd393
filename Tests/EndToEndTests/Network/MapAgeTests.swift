import Foundation
import PeerTestSupport
import Testing

/// Older maps, and maps of which nobody knows the age, between real programs.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct MapAgeTests {
    /// Makes a map of the same area, of other tiles, with a date or a version.
    private static func make(_ path: String, seed: UInt64, _ key: String? = nil, _ value: String = "") throws {
        let more = key.map { "INSERT INTO metadata VALUES ('\($0)', '\(value)')" }
        try MapMaker.make(path, seed: seed, more: more)
    }

    /// A part for `--area`: 2 of 8 columns.
    private static let part = ["--area", "11.25,47.0,11.42,47.3"]

    @Test(
        arguments: [
            ("date", [], "olderMap", "(2020-01-01, yours 2026-06-01)"),
            ("date", part, "olderMap", "(2020-01-01, yours 2026-06-01)"),
            (nil, [], "unknownAge", "(it states no date, yours 2026-06-01)"),
        ] as [(String?, [String], String, String)]
    )
    func keepingTakesNoMapThatMayBeOlder(key: String?, options: [String], reason: String, ages: String) async throws {
        try await PrivateAvahi.with { avahi in
            try await TemporaryDirectory.with { directory in
                let sender = Laptop(network: .loopback(avahi), store: directory.path("a"))
                let receiver = Laptop(network: .loopback(avahi), store: directory.path("b"))
                try Self.make(directory.path("old.mbtiles"), seed: 1, key, "2020-01-01")
                try Self.make(directory.path("new.mbtiles"), seed: 2, "date", "2026-06-01")
                try await sender.must("import", directory.path("old.mbtiles"))
                let id = try await sender.send("Nordkette") { running in
                    let received = try await receiver.run("receive", "--yes", "--timeout", "300")
                    #expect(received.code == 0, "\(received)")
                    return try #require(running.listening["peerID"]?.string)
                }
                try await receiver.must("peers", "trust", id, "--name", "Anna")
                try await receiver.must("import", directory.path("new.mbtiles"), "--update", "Nordkette", "--yes")
                let before = try StoreContents(of: receiver.store).files
                try await sender.must("waypoint", "add", "Nordkette", "47.1,11.3", "Cold spring")
                try await receiver.start(["receive", "--keep", "--format", "json"]) { keeping in
                    try await sender.start(["send", "Nordkette", "--yes", "--format", "json"] + options) { sending in
                        let leftOut = try JSONValue(
                            parsing: try await keeping.waitForOutput { $0.contains(#""type":"notTaken""#) }
                        )
                        #expect(leftOut["reason"]?.string == reason, "\(leftOut)")
                        #expect(leftOut["kinds"]?.array.map(\.string) == ["mbtiles"], "\(leftOut)")
                        #expect(leftOut["maps"]?["here"]?["date"]?.string == "2026-06-01T00:00:00Z", "\(leftOut)")
                        let received = try JSONValue(
                            parsing: try await keeping.waitForOutput { $0.contains(#""type":"received""#) }
                        )
                        #expect(received["imported"] == .object(["waypoints": .number(1)]), "\(received)")
                        sending.kill(SIGINT)
                        _ = await sending.waitForExit()
                    }
                    keeping.kill(SIGINT)
                    _ = await keeping.waitForExit()
                }
                #expect(try StoreContents(of: receiver.store).files == before)

                // Nor does --yes take it; the words say both ages.
                try await sender.sendQuietly("Nordkette", options) { running in
                    let refused = try await receiver.receive(from: running.port)
                    #expect(refused.code == 5 && refused.words.contains(ages), "\(refused)")
                    let rest = try await receiver.receive(from: running.port, "--only", "waypoints")
                    #expect(rest.code == 0, "\(rest)")
                    #expect(try StoreContents(of: receiver.store).files == before)
                }
            }
        }
    }

    /// A map of another version, without a date: once in a terminal, once without.
    @Test func importTakesNoOlderMapWithoutAQuestion() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            for (name, seed, version) in [("new", 1, "1.1.0"), ("old", 2, "1.0.0")] as [(String, UInt64, String)] {
                try Self.make(directory.path(name + ".mbtiles"), seed: seed, "version", version)
            }
            let old = directory.path("old.mbtiles")
            try await laptop.must("import", directory.path("new.mbtiles"))
            let before = try StoreContents(of: laptop.store).files
            let refused = try await laptop.run("import", old, "--update", "Nordkette")
            #expect(refused.code == 2 && refused.words.contains("--yes"), "\(refused)")
            #expect(refused.words.contains("older than your map (version 1.0.0, yours version 1.1.0)"), "\(refused)")

            for arguments in [["import", old, "--update", "Nordkette"], ["import", old]] {
                let (status, text) = try await laptop.inTerminal(arguments, columns: 250) { screen in
                    if arguments.count > 2 {
                        try await screen.wait { $0.contains("What should others call you?") }
                        try screen.type("Eva\n")
                    }
                    try await screen.wait { $0.contains("Replace its map? [y/N") }
                    #expect(screen.text.contains("It is older than your map (version 1.0.0, yours version 1.1.0)."))
                    try screen.type("\n")
                    return try await screen.complete()
                }
                #expect(status == .exited(0) && text.contains("Left out: "), "\(text)")
            }
            #expect(try StoreContents(of: laptop.store).files == before)
            // The remedy works.
            let update = try await laptop.must("import", old, "--update", "Nordkette", "--yes")
            #expect(try update.lines("importedMap").first?["isUpdate"] == .bool(true))
            // A newer one needs no question.
            let newer = try await laptop.must("import", directory.path("new.mbtiles"), "--update", "Nordkette")
            #expect(try newer.lines("importedMap").first?["isUpdate"] == .bool(true))
        }
    }
}
