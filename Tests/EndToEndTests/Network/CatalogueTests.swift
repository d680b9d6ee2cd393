import Foundation
import PeerTestSupport
import Testing

/// Several regions of one sender, and a receiver that stays.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct CatalogueTests {
    /// Makes a map and imports it.
    private static func put(
        _ name: String,
        seed: UInt64,
        on laptop: Laptop,
        in directory: TemporaryDirectory
    ) async throws {
        let path = directory.path("\(name).mbtiles")
        try MapMaker.make(path, name: name, seed: seed)
        try await laptop.must("import", path)
    }

    @Test func twoOfThreeRegionsArePicked() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, receiver) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            for (name, seed) in [("Nordkette", 1), ("Karwendel", 2), ("Stubai", 3)] as [(String, UInt64)] {
                try await Self.put(name, seed: seed, on: sender, in: directory)
            }
            try await sender.sendQuietly("--all", ["--once"]) { running in
                #expect(running.listening["regions"]?.array.count == 3)
                let received = try await receiver.receive(
                    from: running.port,
                    "--region",
                    "stubai",
                    "--region",
                    "Nordkette"
                )
                #expect(received.code == 0, "\(received)")
                let list = try #require(try received.lines("catalogue").first)
                #expect(list["regions"]?.array.allSatisfy { $0["here"]?.string == "new" } == true)
                #expect(
                    try received.lines("received").compactMap { $0["regionName"]?.string } == ["Stubai", "Nordkette"]
                )
                let sent = await running.child.ending()
                #expect(sent.code == 0, "\(sent)")
                #expect(try sent.lines("sent").compactMap { $0["regionName"]?.string } == ["Stubai", "Nordkette"])
            }
            #expect(try StoreContents(of: receiver.store).count("region") == 2)
        }
    }

    /// A region that has nothing of the part, or not the route, is no reason to leave out those behind it.
    @Test func aRegionWithoutTheRouteIsLeftOutAndTheOthersCome() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, receiver) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            try await Self.put("Far", seed: 1, on: sender, in: directory)
            try await Example.put(on: sender)
            try await Self.put("Zed", seed: 2, on: sender, in: directory)
            try await sender.sendQuietly("--all") { running in
                let options = ["--region", "Far", "--region", Example.name, "--region", "Zed"]
                let command =
                    ["receive", "--yes", "--connect", "127.0.0.1:\(running.port)", "--format", "json"] + options
                let area = try #require(
                    try await sender.must("list").lines("region").first { $0["name"]?.string == "Zed" }
                )
                // The part is where the two small maps are, and not the example.
                let bounds = try ["west", "south", "east", "north"].map { edge in
                    "\(try #require(area["bounds"]?[edge]?.double))"
                }
                let received = try await receiver.start(command + ["--area", bounds.joined(separator: ",")]) {
                    await $0.ending()
                }
                #expect(received.code == 0, "\(received)")
                #expect(try received.lines("received").compactMap { $0["regionName"]?.string } == ["Far", "Zed"])
                #expect(received.words.contains("“\(Example.name)” is left out."), "\(received)")
            }
            #expect(try StoreContents(of: receiver.store).count("region") == 2)
        }
    }

    @Test func whoStaysGetsWhatATrustedMachineHasChanged() async throws {
        try await PrivateAvahi.with { avahi in
            try await TemporaryDirectory.with { directory in
                let sender = Laptop(network: .loopback(avahi), store: directory.path("a"))
                let receiver = Laptop(network: .loopback(avahi), store: directory.path("b"))
                try await Example.put(on: sender)
                let id = try await sender.send(Example.name) { running in
                    let received = try await receiver.run("receive", "--yes", "--timeout", "300")
                    #expect(received.code == 0, "\(received)")
                    return try #require(running.listening["peerID"]?.string)
                }
                try await receiver.must("peers", "trust", id, "--name", "Anna")
                try await Self.put("Nordkette", seed: 1, on: sender, in: directory)
                try await sender.must("waypoint", "add", Example.name, "42.59,1.44", "Cold spring")
                try await receiver.start(["receive", "--keep", "--format", "json"]) { keeping in
                    try await sender.start(["send", "--all", "--yes", "--format", "json"]) { sending in
                        let line = try await keeping.waitForOutput { $0.contains(#""type":"received""#) }
                        let received = try JSONValue(parsing: line)
                        #expect(received["regionName"]?.string == Example.name)
                        #expect(received["imported"] == .object(["waypoints": .number(1)]))
                        sending.kill(SIGINT)
                        _ = await sending.waitForExit()
                    }
                    keeping.kill(SIGINT)
                    let ending = await keeping.ending()
                    #expect(ending.code == 130, "\(ending)")
                    #expect(try ending.lines("received").count == 1)
                }
                // What it did not have is not taken.
                let contents = try StoreContents(of: receiver.store)
                #expect(contents.count("region") == 1)
                #expect(contents.count("waypoint") == 47)
            }
        }
    }
}
