import Foundation
import PeerTestSupport
import Testing

/// Renaming, removing and adding single items, and newer maps.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct EditTests {
    private func withLaptop(_ body: (TemporaryDirectory, Laptop) async throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try await Example.put(on: laptop)
            try await body(directory, laptop)
        }
    }

    private func labels(_ laptop: Laptop) async throws -> [String] {
        try await laptop.must("show", Example.name).lines("waypoint").compactMap { $0["label"]?.string }
    }

    @Test func itemsAreRenamedRemovedAndAdded() async throws {
        try await withLaptop { directory, laptop in
            let before = try await labels(laptop)
            let renamed = try await laptop.must("rename", "coma", "--waypoint", "2", "Second")
            #expect(try renamed.lines("renamedItem").first?["formerName"]?.string == before[1])
            let hike = try await laptop.must("rename", "coma", "--hike", "1", "Lakes").lines("renamedItem").first
            #expect(hike?["kind"]?.string == "hike" && hike?["name"]?.string == "Lakes")
            let removed = try await laptop.must("remove", Example.name, "--waypoint", "second", "--yes")
            #expect(try removed.lines("removedItem").first?["name"]?.string == "Second")
            let added = try await laptop.must(
                "waypoint",
                "add",
                "coma",
                "42.58,1.47",
                "Spring",
                "--category",
                "waterSource",
                "--note",
                "Dry in August"
            )
            let waypoint = try #require(try added.lines("addedWaypoint").first?["waypoint"])
            #expect(waypoint["category"]?.string == "waterSource" && waypoint["note"]?.string == "Dry in August")
            #expect(added.errorOutput.isEmpty)
            var expected = before
            expected.remove(at: 1)
            #expect(Set(try await labels(laptop)) == Set(expected + ["Spring"]))

            // South and west are negative; far away is said.
            let far = try await laptop.run("waypoint", "add", "coma", "-33.9,-18.4", "Far")
            #expect(far.code == 0 && far.words.contains("outside the map"), "\(far)")
            let region = try await laptop.must("rename", Example.name, "Arinsal").lines("renamedRegion").first
            #expect(region?["formerName"]?.string == Example.name && region?["regionName"]?.string == "Arinsal")
        }
    }

    @Test func whatWasRemovedDoesNotComeBackFromAnother() async throws {
        try await withLaptop { directory, sender in
            let receiver = Laptop(store: directory.path("receiver"))
            try await sender.sendQuietly(Example.name) { running in
                #expect(try await receiver.receive(from: running.port).code == 0)
                try await receiver.must("remove", Example.name, "--waypoint", "5", "--yes")
                let again = try await receiver.receive(from: running.port)
                #expect(again.code == 0, "\(again)")
                #expect(try again.lines("received").first?["keptLocal"]?["waypoints"]?.int == 1, "\(again)")
                #expect(try await labels(receiver).count == 45)
            }
        }
    }

    @Test func namesakesAreToldApart() async throws {
        try await withLaptop { _, laptop in
            for place in ["42.58,1.47", "42.59,1.46"] {
                try await laptop.must("waypoint", "add", "coma", place, "Here")
            }
            let ending = try await laptop.tell("remove", Example.name, "--waypoint", "here", "--yes")
            #expect(ending.code == 2, "\(ending)")
            #expect(ending.words.contains("2 waypoints called “Here”: "), "\(ending)")
            #expect(ending.words.contains("(42.58, 1.47)") && ending.words.contains("(42.59, 1.46)"), "\(ending)")
            #expect(ending.words.contains("hikeshare show"), "\(ending)")
            let shown = try await laptop.tell("show", "coma", "-v")
            let line = try #require(shown.output.first { $0.contains("Here, 42.5900° N, 1.4600° E") })
            let number = try #require(line.split(separator: " ").first)
            #expect(ending.words.contains("\(number) (42.59, 1.46)"), "\(ending)")
            try await laptop.must("remove", Example.name, "--waypoint", String(number), "--yes")
            #expect(try await labels(laptop).filter { $0 == "Here" }.count == 1)
        }
    }

    @Test(arguments: [
        ["rename", "coma", "--hike", "1", "--waypoint", "1", "x"], ["rename", "coma"],
        ["waypoint", "add", "coma", "x", "y"],
        ["waypoint", "add", "coma", "91,0", "y"], ["waypoint", "add", "coma", "1,2", "y", "--category", "palace"],
        ["remove", "coma", "--hike", "1", "--export", "a.gpx"], ["remove", Example.name, "--hike", "1"],
        ["rename", "coma", "--hike", "1", " "],
    ])
    func whatMakesNoSenseIsUsage(arguments: [String]) async throws {
        try await withLaptop { _, laptop in
            let before = try StoreContents(of: laptop.store)
            let ending = try await laptop.start(arguments) { await $0.ending() }
            #expect(ending.code == 64, "\(ending)")
            #expect(try StoreContents(of: laptop.store) == before)
        }
    }

    @Test(arguments: [("y\n", Int32(0)), ("\n", 5)])
    func aSingleItemIsRemovedAfterAYes(answer: String, code: Int32) async throws {
        try await withLaptop { _, laptop in
            try await laptop.must("waypoint", "add", "coma", "42.58,1.47", "Here")
            let (status, text) = try await laptop.inTerminal(
                ["remove", Example.name, "--waypoint", "Here"],
                columns: 200
            ) {
                screen in
                try await screen.wait(
                    for: "Remove the waypoint “Here” (42.5800° N, 1.4700° E) from “Coma Pedrosa” for good? [y/N] "
                )
                try screen.type(answer)
                return try await screen.complete()
            }
            #expect(status == .exited(code), "\(text)")
            #expect(try await labels(laptop).contains("Here") == (code != 0))
        }
    }

    /// The words that are lost, kept and left over stand by name before the yes and after it, on both screens.
    @Test func whatBothHaveEditedIsToldByName() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, receiver) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            try MapMaker.make(directory.path("1.mbtiles"), seed: 1)
            try await sender.must("import", directory.path("1.mbtiles"))
            for name in ["Hut", "Surf"] { try await sender.must("waypoint", "add", "Nordkette", "47.3,11.4", name) }
            try await sender.sendQuietly("Nordkette") { running in
                let received = try await receiver.receive(from: running.port)
                #expect(received.code == 0, "\(received)")
            }
            try await receiver.must("rename", "Nordkette", "--waypoint", "Hut", "Fonts hut")
            try await receiver.must("rename", "Nordkette", "Arinsal")
            // The second edit is at least a second later than the first one, and so than the one there.
            for (name, new) in [("Hut", "Cabane"), ("Cabane", "Cabane des Fonts (closed!)")] {
                try await sender.must("rename", "Nordkette", "--waypoint", name, new)
            }
            try await sender.must("remove", "Nordkette", "--waypoint", "Surf", "--yes")
            let shown = try await sender.sendQuietly("Nordkette") { running in
                let arguments = ["receive", "--connect", "127.0.0.1:\(running.port)"]
                let (status, text) = try await receiver.inTerminal(arguments, columns: 200) { screen in
                    try await screen.wait { $0.hasOffer }
                    for words in [
                        "You have it as “Arinsal”", "“Cabane des Fonts (closed!)” replaces your “Fonts hut”",
                        "has removed “Surf”; yours stays",
                    ] { #expect(screen.text.contains(words), "\(screen.text)") }
                    try screen.type("y\n")
                    return try await screen.complete()
                }
                #expect(status == .exited(0), "\(text)")
                #expect(text.contains("Changed: “Cabane des Fonts (closed!)”, was “Fonts hut”"), "\(text)")
                #expect(text.contains("Removed there, still here: “Surf”"), "\(text)")
                return text
            }
            let number = try #require(shown.firstMatch(of: /hikeshare remove Arinsal --waypoint (\d+)/), "\(shown)").1
            try await receiver.must("remove", "Arinsal", "--waypoint", String(number), "--yes")
            let labels = try await receiver.must("show", "Arinsal").lines("waypoint").map { $0["label"]?.string }
            #expect(labels == ["Cabane des Fonts (closed!)"])
        }
    }

    /// After the numbers of `show`, a person may leave out the option.
    @Test func aNumberInANewNameRenamesNoRegion() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            try MapMaker.make(directory.path("1.mbtiles"), seed: 1)
            try await laptop.must("import", directory.path("1.mbtiles"))
            try await laptop.must("waypoint", "add", "Nordkette", "47.3,11.4", "Hut")
            let refused = try await laptop.run("rename", "Nordkette", "1", "Anna Hut")
            #expect(refused.code == 64 && refused.words.contains("--waypoint"), "\(refused)")
            try await laptop.must("rename", "Nordkette", "--waypoint", "1", "Anna Hut")
            try await laptop.must("rename", "Nordkette", "2026 Tour")
            #expect(try await laptop.must("list").lines.first?["name"]?.string == "2026 Tour")
        }
    }

    // MARK: Newer maps

    @Test(arguments: [("y\n", ["Nordkette"]), ("\n", ["Nordkette"]), ("Winter\n", ["Nordkette", "Winter"])])
    func aMapOfTheSameNameIsAskedAbout(answer: String, names: [String]) async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            for seed in 1...2 { try MapMaker.make(directory.path("\(seed).mbtiles"), seed: UInt64(seed)) }
            try await laptop.must("import", directory.path("1.mbtiles"))
            try await laptop.must("waypoint", "add", "Nordkette", "47.3,11.4", "Hut")
            let (status, text) = try await laptop.inTerminal(["import", directory.path("2.mbtiles")], columns: 200) {
                screen in
                // The first map in a terminal is signed with a name of which the person knows.
                try await screen.wait { $0.contains("What should others call you?") }
                try screen.type("Eva\n")
                try await screen.wait {
                    $0.contains("2.mbtiles may be another version of “Nordkette”. Which map is newer is not known")
                        && $0.hasSuffix("[y/N, or a name to add it as another region] ")
                }
                #expect(screen.text.contains("Hikes, routes and waypoints stay."), "\(screen.text)")
                try screen.type(answer)
                return try await screen.complete()
            }
            #expect(status == .exited(0), "\(text)")
            #expect(text.contains("New map of Nordkette") == (answer == "y\n"), "\(text)")
            #expect(text.contains("Left out: ") == (answer == "\n"), "\(text)")
            #expect(try await laptop.must("list").lines.compactMap { $0["name"]?.string }.sorted() == names)
        }
    }

    @Test func anUpdateReachesOthers() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, receiver) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            for seed in 1...2 {
                let date = "INSERT INTO metadata VALUES ('date', '2026-0\(seed)-01')"
                try MapMaker.make(directory.path("\(seed).mbtiles"), seed: UInt64(seed), more: date)
            }
            let link = try await sender.must("import", directory.path("1.mbtiles"))
            let id = try #require(try link.lines("importedMap").first?["region"]?["id"]?.string)
            try await sender.sendQuietly("Nordkette") { running in
                let received = try await receiver.receive(from: running.port)
                #expect(received.code == 0, "\(received)")
            }
            try await receiver.must("waypoint", "add", "Nordkette", "47.3,11.4", "My hut")
            // Without a terminal nothing is guessed, and a note says what can be done.
            let update = try await sender.must("import", directory.path("2.mbtiles"), "--update", "nordkette")
            #expect(try update.lines("importedMap").first?["isUpdate"] == .bool(true))
            #expect(try update.lines("importedMap").first?["region"]?["id"]?.string == id)
            try await sender.sendQuietly("Nordkette") { running in
                let arguments = ["receive", "--connect", "127.0.0.1:\(running.port)"]
                let (status, text) = try await receiver.inTerminal(arguments, columns: 200) { screen in
                    try await screen.wait { $0.hasOffer }
                    #expect(screen.text.contains("by a newer map (2026-02-01, yours 2026-01-01)"), "\(screen.text)")
                    try screen.type("y\n")
                    return try await screen.complete()
                }
                #expect(status == .exited(0), "\(text)")
            }
            let regions = try await receiver.must("list").lines
            #expect(regions.count == 1 && regions.first?["id"]?.string == id)
            #expect(regions.first?["mapDate"]?.string == "2026-02-01T00:00:00Z")
            #expect(try await receiver.must("show", "nordkette").lines("waypoint").first?["label"]?.string == "My hut")
        }
    }

    @Test func withoutATerminalANoteSaysHowToUpdate() async throws {
        try await TemporaryDirectory.with { directory in
            let laptop = Laptop(store: directory.path("store"))
            for seed in 1...2 { try MapMaker.make(directory.path("\(seed).mbtiles"), seed: UInt64(seed)) }
            try await laptop.must("import", directory.path("1.mbtiles"))
            let ending = try await laptop.tell("import", directory.path("2.mbtiles"))
            #expect(ending.code == 0 && ending.words.contains("--update"), "\(ending)")
            let other = try await laptop.run("import", Example.map, "--update", "Nordkette")
            // Two of that name.
            #expect(other.code == 2, "\(other)")
            let id = try #require(try await laptop.must("list").lines.first?["id"]?.string)
            let far = try await laptop.run("import", Example.map, "--update", String(id.prefix(8)))
            #expect(far.code == 2 && far.words.contains("different area"), "\(far)")
        }
    }
}
