import Foundation
import PeerTestSupport
import Testing

/// Planning with the program, on the example region.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct PlanTests {
    private static let start = "Arinsal - Pic de Comapedrosa start"
    private static let hut = "Refugi de la Comapedrosa"

    private func withLaptop(_ body: (TemporaryDirectory, Laptop) async throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try await Example.put(on: laptop)
            try await body(directory, laptop)
        }
    }

    @Test func aWayIsPlannedSavedListedAndExported() async throws {
        try await withLaptop { directory, laptop in
            let ending = try await laptop.must(
                "plan",
                "coma",
                "--from",
                Self.start,
                "--to",
                "coma refugi",
                "--save",
                "To the hut",
                "--gpx",
                directory.path("hut.gpx")
            )
            let way = try #require(try ending.lines("plannedWay").first)
            #expect(way["places"]?.array.map { $0["name"]?.string } == [Self.start, Self.hut])
            #expect(way["isStraight"] == .bool(false) && way["beyondMap"]?.int == 0)
            let points = way["coordinates"]?.array.count ?? 0
            #expect(points > 20 && way["turns"]?.array.isEmpty == false)
            let kinds = way["kinds"]?.array.compactMap { $0["distance"]?.double } ?? []
            #expect(abs(kinds.reduce(0, +) - (way["distance"]?.double ?? 0)) < 1)
            let added = try #require(try ending.lines("addedRoute").first?["plannedRoute"])
            for field in ["distance", "elevationGain", "elevationLoss", "estimatedDuration"] {
                #expect(added[field] == way[field], "\(field)")
            }
            let shown = try await laptop.must("show", "coma").lines("plannedRoute")
            #expect(shown.contains { $0["id"] == added["id"] && $0["name"]?.string == "To the hut" })

            let written = try String(contentsOfFile: directory.path("hut.gpx"), encoding: .utf8)
            try await laptop.must("export", "coma", "--to", directory.path("out"), "--gpx")
            let all = try String(contentsOfFile: directory.path("out/Coma-Pedrosa.gpx"), encoding: .utf8)
            let id = try #require(added["id"]?.string)
            for text in [written, all] {
                #expect(text.contains("<name>To the hut</name>") && text.contains(id))
            }
            #expect(written.matches(of: #/<rtept /#).count == points)
            // It is the route that is there already.
            let again = try await laptop.must("import", directory.path("hut.gpx"), "--region", "coma")
            #expect(try again.lines("importedGPX").first?["plannedRoutes"]?["unchanged"]?.int == 1)
            let taken = try await laptop.run(
                "plan",
                "coma",
                "--from",
                Self.start,
                "--to",
                Self.hut,
                "--save",
                "to the hut"
            )
            #expect(taken.code == 7 && taken.words.contains("already"), "\(taken)")
        }
    }

    @Test func theMapAlongASavedWayCrossesWithIt() async throws {
        try await withLaptop { directory, sender in
            let planned = try await sender.tell(
                "plan",
                "coma",
                "--from",
                Self.start,
                "--to",
                Self.hut,
                "--save",
                "To the hut"
            )
            #expect(planned.code == 0, "\(planned)")
            // The command that is printed.
            let line = try #require(planned.output.first { $0.contains("hikeshare send") }, "\(planned)")
            let name = try #require(line.firstMatch(of: /--along "([^"]+)"/)).1
            for (options, laptop) in [(["--along", String(name), "--within", "300m"], "part"), ([], "whole")] {
                let receiver = Laptop(store: directory.path(laptop))
                try await sender.send(Example.name, options) { running in
                    let received = try await receiver.receive(from: running.port)
                    #expect(received.code == 0, "\(received)")
                }
                let routes = try await receiver.must("show", "coma").lines("plannedRoute")
                #expect(routes.contains { $0["name"]?.string == "To the hut" })
                let region = try #require(try await receiver.must("list").lines("region").first)
                #expect(region["part"]?["along"]?.array.first?.string == (options.isEmpty ? nil : "To the hut"))
                #expect(region["routingSize"] != nil)
                // The part has the whole routing database: a way through the rest leaves its tiles, which is said.
                let end = "Arinsal - Pla de l'Estany - Estany Forcat end"
                let position = try #require(
                    try await sender.must("plan", "coma", "--from", Self.start, "--to", end).lines("plannedWay").first?[
                        "places"
                    ]?.array.last
                )
                let place = "\(position["latitude"]?.double ?? 0),\(position["longitude"]?.double ?? 0)"
                let there = try await receiver.tell("plan", "coma", "--from", Self.start, "--to", place)
                #expect(there.code == 0, "\(there)")
                #expect(there.said.contains("beyond the tiles of the map") == !options.isEmpty, "\(there)")
            }
        }
    }

    @Test func withoutARoutingDatabaseTheLineIsStraight() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try await laptop.must("import", Example.map, "--name", Example.name)
            let told = try await laptop.tell("plan", "--from", "42.57,1.45", "--to", "42.58,1.47")
            #expect(told.code == 0 && told.said.contains("in a straight line"), "\(told)")
            #expect(told.said.contains("has no routing database"))
            let line = try await laptop.must("plan", "--from", "42.57,1.45", "--to", "42.58,1.47").lines("plannedWay")
                .first
            #expect(line?["isStraight"] == .bool(true) && line?["coordinates"]?.array.count == 2)
        }
    }

    @Test func placesThatCannotBeFoundAreExplained() async throws {
        try await withLaptop { _, laptop in
            let misspelt = try await laptop.tell("plan", "coma", "--from", Self.start, "--to", "Refuxi")
            #expect(misspelt.code == 3 && misspelt.said.contains("Did you mean “Refugi”?"), "\(misspelt)")
            let several = try await laptop.tell("plan", "coma", "--from", "refugi", "--to", Self.hut)
            #expect(several.code == 2 && several.said.contains("31  Refugi de la Comapedrosa"), "\(several)")
            let unquoted = try await laptop.start(
                ["plan", "coma", "--from", Self.start, "--to"] + Self.hut.split(separator: " ").map(String.init)
            ) { await $0.ending() }
            #expect(unquoted.code == 3 && unquoted.said.contains("quotation marks"), "\(unquoted)")
            let far = try await laptop.tell("plan", "coma", "--from", Self.start, "--to", "42,3")
            #expect(far.code == 3 && far.said.contains("no way within 1 km of the end"), "\(far)")
        }
    }

    /// The examples in the help work with the example region.
    @Test func theExamplesInTheHelpWork() async throws {
        try await withLaptop { _, laptop in
            let help = try await laptop.tell("plan", "--help")
            let examples = help.output.map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("hikeshare plan") }
            #expect(examples.count == 3)
            for example in examples {
                let words = example.matches(of: /"([^"]*)"|(\S+)/).map { String($0.1 ?? $0.2 ?? "") }
                let ending = try await laptop.start(Array(words.dropFirst())) { await $0.ending() }
                #expect(ending.code == 0, "\(example): \(ending)")
            }
        }
    }
}

extension Ending {
    /// Results and errors, in words.
    fileprivate var said: String { (output + errorOutput).joined(separator: "\n") }
}
