import Foundation
import PeerTestSupport
import RegionTestSupport
import Testing

/// A map of another program, from a file on one machine to the same file on another.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct ForeignMapTests {
    private static let size = 6_000_000
    private static let middle = 2_000_000

    @Test func aMapOfAnotherProgramIsBrokenOffResumedAndComesOutAsItWentIn() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, receiver) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            let file = directory.path("Andorra_europe_2.obf")
            try Data(ForeignBytes.osmand(rest: Self.size)).write(to: URL(filePath: file))
            let imported = try await sender.must("import", file)
            let region = try #require(try imported.lines("importedForeign").first?["region"])
            #expect(region["name"]?.string == "Andorra europe")
            #expect(region["foreign"]?["format"]?.string == "osmand")

            try await sender.sendQuietly("Andorra") { running in
                try await HeldLine.with(to: running.port, holdingAfter: Self.middle) { line in
                    let arguments = [
                        "receive", "--yes", "--retries", "0", "--connect", "127.0.0.1:\(line.port)", "--format", "json",
                    ]
                    try await receiver.start(arguments) { child in
                        await line.untilHeld()
                        child.kill(SIGINT)
                        let ending = await child.ending()
                        #expect(ending.code == 130, "\(ending)")
                    }
                }
                let kept = try await receiver.must("list", "--incoming", "--format", "json").lines("incoming")
                #expect(kept.first?["kind"]?.string == "foreign")
                let here = try #require(kept.first?["bytes"]?.int)
                #expect(here > 0)
                let received = try await receiver.receive(from: running.port)
                #expect(received.code == 0, "\(received)")
                let offer = try #require(try received.lines("offer").first)
                #expect(offer["foreign"]?["fileName"]?.string == "Andorra_europe_2.obf")
                let report = try #require(try received.lines("received").first)
                #expect(report["imported"] == .object(["foreign": .number(1)]))
                #expect(report["bytes"]?.int ?? .max < Self.size, "\(report)")
            }

            let folder = directory.path("out")
            try await receiver.must("export", "Andorra", "--to", folder)
            let path = folder + "/Andorra_europe_2.obf"
            #expect(FileManager.default.contentsEqual(atPath: path, andPath: file))
            let html = try await receiver.run("export", "Andorra", "--html", directory.path("x.html"))
            #expect(html.code == 64 && html.words.contains("map for OsmAnd"), "\(html)")
            #expect(try await receiver.must("show", "Andorra").lines("region").first?["areaKnown"]?.bool == true)
        }
    }

    /// Of all regions, one that has no tiles along a line is left out, and does not keep the others.
    @Test func whatCannotBeCutIsLeftOutOfAll() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            let (file, stick) = (directory.path("Andorra_europe_2.obf"), directory.path("stick"))
            try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: true)
            try Data(ForeignBytes.osmand(rest: 10_000)).write(to: URL(filePath: file))
            try await laptop.must("import", file)
            func written(_ options: String...) async throws -> (names: [String?], ending: Ending) {
                let arguments = ["send", "--all", "--stick", stick, "--anyone", "--format", "json"] + options
                let ending = try await laptop.start(arguments) { await $0.ending() }
                return (try ending.lines("stickWritten").map { $0["regionName"]?.string }, ending)
            }
            let none = try await written("--max-zoom", "12")
            #expect(none.names.isEmpty && none.ending.code != 0, "\(none.ending)")
            try await Example.put(on: laptop)
            let cut = try await written("--max-zoom", "12")
            #expect(cut.names == [Example.name] && cut.ending.code == 0, "\(cut.ending)")
            #expect(cut.ending.description.contains("“Andorra europe” is left out"), "\(cut.ending)")
            // For a person, it is a map as any other.
            let maps = try await written("--only", "map")
            #expect(Set(maps.names) == [Example.name, "Andorra europe"], "\(maps.ending)")
        }
    }

    @Test func anyFileGoesAlongIfAPersonNamesIt() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("a"))
            let file = directory.path("Lake.kap")
            try Data("a chart".utf8).write(to: URL(filePath: file))
            let refused = try await laptop.run("import", file)
            #expect(refused.code == 2, "\(refused)")
            #expect(try refused.problem()["remedy"]?.string?.contains("--foreign") == true, "\(refused)")
            let imported = try await laptop.must("import", "--foreign", file)
            let region = try #require(try imported.lines("importedForeign").first?["region"])
            #expect(region["areaKnown"]?.bool == false && region["foreign"]?["format"]?.string == "other")
        }
    }
}
