import Foundation
import PeerTestSupport
import Testing

/// Photos of waypoints, from a camera's file on one machine to a file on another.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct PhotoTests {
    private static func jpeg(_ seed: UInt64, in directory: TemporaryDirectory) throws -> String {
        var generator = SeededGenerator(seed: seed)
        let path = directory.path("\(seed).jpg")
        try Data([0xFF, 0xD8, 0xFF, 0xE0] + generator.bytes(300_000)).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// The label of some waypoint of the example that no other has.
    private func label(on laptop: Laptop) async throws -> String {
        let labels = try await laptop.must("show", Example.name).lines("waypoint").compactMap { $0["label"]?.string }
        return try #require(labels.first { label in !label.isEmpty && labels.count { $0 == label } == 1 })
    }

    @Test func aPhotoTravelsAndComesOutAsItWentIn() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, receiver) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            try await Example.put(on: sender)
            let label = try await label(on: sender)
            let photo = try Self.jpeg(1, in: directory)

            let alone = try await sender.run("import", photo)
            #expect(alone.code == 2, "\(alone)")
            #expect(try alone.problem()["remedy"]?.string?.contains("--waypoint") == true)
            let nowhere = try await sender.run("import", photo, "--waypoint", "Nowhere")
            #expect(nowhere.code == 3, "\(nowhere)")
            let imported = try await sender.must("import", photo, "--waypoint", label.uppercased())
            #expect(try imported.lines("importedPhoto").first?["label"]?.string == label)
            let other = try Self.jpeg(2, in: directory)
            let refused = try await sender.run("import", other, "--waypoint", label)
            #expect(refused.code == 7, "\(refused)")
            #expect(try refused.problem()["remedy"]?.string?.contains("--replace") == true, "\(refused)")

            try await sender.sendQuietly(Example.name) { running in
                #expect(running.listening["personal"]?["photos"]?.int == 1)
                let received = try await receiver.receive(from: running.port)
                #expect(received.code == 0, "\(received)")
                let offered = try #require(try received.lines("offer").first)["resources"]?.array ?? []
                #expect(offered.last?["kind"]?.string == "photos" && offered.last?["wanted"]?.bool == true)
                #expect(offered.last?["size"]?.int ?? 0 > 300_000)
                #expect(try received.lines.last?["imported"]?["photos"]?.int == 1)
                let again = try await receiver.receive(from: running.port)
                #expect(try again.lines.last?["imported"] == .object([:]), "\(again)")
                #expect(try again.lines.last?["bytes"]?.int == 0, "\(again)")
            }
            try Example.expectSame(sender, receiver)

            let shown = try await receiver.must("show", Example.name)
            #expect(try shown.lines("region").first?["photos"]?.int == 1)
            #expect(try shown.lines("waypoint").contains { $0["photoSize"]?.int == 300_004 })
            try FileManager.default.createDirectory(atPath: directory.path("out"), withIntermediateDirectories: true)
            let exported = try await receiver.must("export", Example.name, "--to", directory.path("out"), "--photos")
            let file = try #require(try exported.lines("exported").first?["file"]?.string)
            #expect(file.hasSuffix(".jpg") && FileManager.default.contentsEqual(atPath: file, andPath: photo))
        }
    }

    @Test func photosStayAtHomeIfTheyAreLeftOut() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, receiver) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            try await Example.put(on: sender)
            let photo = try Self.jpeg(1, in: directory)
            try await sender.must("import", photo, "--waypoint", label(on: sender))
            try await sender.sendQuietly(Example.name, ["--only", "map,routing,hikes,planned,waypoints"]) { running in
                #expect(running.listening["personal"]?["photos"]?.int == 0)
                let received = try await receiver.receive(from: running.port)
                #expect(received.code == 0, "\(received)")
            }
            #expect(try StoreContents(of: receiver.store).count("photo") == 0)
            try await sender.sendQuietly(Example.name) { running in
                let alone = try await Laptop(store: directory.path("c"))
                    .receive(from: running.port, "--only", "map,photos")
                let offered = try #require(try alone.lines("offer").first)["resources"]?.array ?? []
                #expect(offered.last?["wanted"]?.bool == false, "a photo without its waypoint has no place")
                // A stranger's photo does not get to a waypoint that is here already, unasked.
                try await receiver.must("peers", "trust", sender.id(), "--name", "Anna")
                let received = try await receiver.receive(from: running.port, "--only", "photos")
                #expect(received.code == 0, "\(received)")
            }
            try Example.expectSame(sender, receiver)
        }
    }
}

/// Parts of an offer, chosen by the person to whom it is made.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct SelectionTests {
    @Test func anOfferIsNarrowedAtThePrompt() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, receiver) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            try await Example.put(on: sender)
            try await sender.sendQuietly(Example.name) { running in
                let arguments = ["receive", "--connect", "127.0.0.1:\(running.port)"]
                let (status, text) = try await receiver.inTerminal(arguments) { screen in
                    try await screen.wait { $0.hasOffer }
                    #expect(screen.words.contains("or some of: map routing hikes planned waypoints]"))
                    try screen.type("mpa\n")
                    try await screen.wait { $0.contains("“mpa” is no answer here.") && $0.hasOffer }
                    try screen.type("waypoints\n")
                    try await screen.wait { $0.contains("without its map") && $0.hasOffer }
                    try screen.type("map planned routes\n")
                    try await screen.wait { $0.contains("Left out") && $0.hasOffer }
                    try screen.type("y\n")
                    return try await screen.complete()
                }
                #expect(status == .exited(0), "\(text)")
                #expect(text.contains(/Received Coma Pedrosa from “[^”]+”: map, 1 planned route/), "\(text)")
            }
            let contents = try StoreContents(of: receiver.store)
            #expect(
                contents.count("plannedRoute") == 1 && contents.count("hike") == 0 && contents.count("waypoint") == 0
            )
        }
    }

    @Test func aSingleRouteCrossesByItsName() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, receiver) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            try await Example.put(on: sender)
            let route = try #require(
                try await sender.must("show", Example.name).lines("plannedRoute").first?["name"]?.string
            )
            let unknown = try await sender.run("send", Example.name, "--route", "Nowhere", "--yes")
            #expect(unknown.code == 3, "\(unknown)")
            #expect(try unknown.problem()["message"]?.string?.contains(route) == true, "\(unknown)")
            try await sender.sendQuietly(Example.name, ["--only", "map,hikes,planned", "--route", route]) { running in
                let received = try await receiver.receive(from: running.port)
                #expect(received.code == 0, "\(received)")
                #expect(
                    try received.lines.last?["imported"]
                        == .object(["mbtiles": .number(1), "plannedroutes": .number(1)])
                )
            }
            let third = Laptop(store: directory.path("c"))
            try await sender.sendQuietly(Example.name, ["--only", "map"]) { running in
                let vain = try await third.receive(from: running.port, "--route", route)
                #expect(vain.code == 3, "\(vain)")
                #expect(try vain.problem()["remedy"]?.string?.contains("--route") == true, "\(vain)")
                #expect(try StoreContents(of: third.store).incoming.isEmpty, "bytes crossed in vain")
            }
            try await sender.sendQuietly(Example.name) { running in
                let received = try await third.receive(from: running.port, "--route", route)
                #expect(received.code == 0, "\(received)")
            }
            let contents = try StoreContents(of: third.store)
            #expect(contents.count("plannedRoute") == 1 && contents.count("hike") == 0)
            #expect(contents.count("waypoint") == 46)
        }
    }
}
