import Foundation
import PeerTestSupport
import Testing

/// Parts of a map between two programs.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct CutTransferTests {
    /// The strip along a route is received first, and then the whole map, to which the strip adds nothing.
    @Test func aStripAndThenTheWhole() async throws {
        try await ConnectTests.withTwo { sender, receiver, _ in
            let options = ["--along", Place.example("arinsal-pic-de-comapedrosa.route.gpx"), "--within", "300m"]
            let strip = try await Self.transfer(from: sender, options, to: receiver)
            let offer = try #require(try strip.lines("offer").first)
            #expect(offer["part"]?["within"]?.int == 300)
            #expect(offer["part"]?["tileCount"]?.int ?? 0 > offer["tiles"]?.int ?? .max)
            let part = try #require(try await receiver.must("list").lines("region").first)
            #expect(part["part"]?["along"]?.array.first?.string == "Arinsal - Pic de Comapedrosa")
            let shown = try await receiver.start(["show", Example.name]) { await $0.ending() }
            #expect(shown.output.joined().contains("a part: 300 m along “Arinsal - Pic de Comapedrosa”"), "\(shown)")

            _ = try await Self.transfer(from: sender, [], to: receiver)
            try Example.expectSame(sender, receiver)
            let whole = try #require(try await receiver.must("list").lines("region").first)
            #expect(whole["part"] == nil)

            _ = try await Self.transfer(from: sender, options, to: receiver)
            try Example.expectSame(sender, receiver)
        }
    }

    /// A wider strip costs the tiles that it has more than the one that is there.
    @Test func wideningCostsTheMissingTiles() async throws {
        try await ConnectTests.withTwo { sender, receiver, _ in
            let route = ["--only", "map", "--along", Place.example("arinsal-pic-de-comapedrosa.route.gpx"), "--within"]
            var sizes: [Int] = []
            var transferred: [Int] = []
            for distance in ["300m", "1km"] {
                let ending = try await Self.transfer(from: sender, route + [distance], to: receiver)
                transferred.append(try #require(try ending.lines("received").last?["bytes"]?.int))
                sizes.append(try #require(try await receiver.must("list").lines("region").first?["mapSize"]?.int))
            }
            #expect(sizes[1] > sizes[0] * 3 / 2)
            // Beside the tiles, the list of pieces and the b-tree cross.
            #expect(transferred[1] < sizes[1] - sizes[0] + sizes[1] / 20, "\(transferred) of \(sizes)")
        }
    }

    /// Two receivers ask for a part each, one of them for its own route and one for a route of the offer.
    @Test func receiversAskForTheirOwnParts() async throws {
        try await ConnectTests.withTwo { sender, receiver, directory in
            let second = Laptop(store: directory.path("c"))
            let route = try #require(
                try await sender.must("show", Example.name).lines("plannedRoute").first?["name"]?.string
            )
            let gpx = Place.example("arinsal-pic-de-comapedrosa.route.gpx")
            try await sender.start(["send", Example.name, "--no-discovery", "--yes", "--format", "json"]) { child in
                let line = try await child.waitForOutput { $0.contains(#""type":"listening""#) }
                let link = try #require(try JSONValue(parsing: line)["link"]?.string)
                func receive(_ laptop: Laptop, _ options: [String]) async throws -> Ending {
                    let command = ["receive", link, "--yes", "--retries", "0", "--format", "json"] + options
                    let ending = try await laptop.start(command) { await $0.ending() }
                    try #require(ending.code == 0, "\(ending)")
                    return ending
                }
                async let one = receive(receiver, ["--along", gpx, "--within", "300m"])
                async let two = receive(second, ["--along", route, "--max-zoom", "13"])
                let offers = try await [one, two].map { try $0.lines("offer").first?["part"] }
                #expect(offers[0]?["within"]?.int == 300 && offers[0]?["maxZoom"] == nil)
                #expect(offers[1]?["along"]?.array.first?.string == route && offers[1]?["maxZoom"]?.int == 13)

                // A part that the map does not have is refused with a sentence on both sides.
                let none = try await second.run("receive", link, "--yes", "--retries", "0", "--area", "1,-2,2,-1")
                #expect(none.code != 0 && none.words.contains("no tiles in this part"), "\(none)")

                // The rest of the map.
                _ = try await receive(receiver, [])
                child.kill(SIGINT)
                let sent = await child.ending()
                let asked = try sent.lines("invitation").map { $0["part"]?["within"]?.int }
                #expect(asked.contains(300) && asked.contains(nil), "\(sent)")
            }
            try Example.expectSame(sender, receiver)
            let part = try #require(try await second.must("list").lines("region").first)
            #expect(part["part"]?["maxZoom"]?.int == 13)
        }
    }

    /// Without tiles, or without the map, nothing is sent.
    @Test func aPartThatIsNotThereIsNotSent() async throws {
        try await ConnectTests.withTwo { sender, _, _ in
            let ending = try await sender.run("send", Example.name, "--no-discovery", "--area", "-10,1,-9,2")
            #expect(ending.code == 64, "\(ending)")
            let only = try await sender.run("send", Example.name, "--only", "waypoints", "--max-zoom", "12")
            #expect(only.code == 64, "\(only)")
        }
    }

    /// Sends to a receiver that has the share link, whose offers may replace what is there.
    private static func transfer(from sender: Laptop, _ options: [String], to receiver: Laptop) async throws -> Ending {
        try await sender.start(["send", Example.name, "--no-discovery", "--format", "json"] + options) { child in
            let line = try await child.waitForOutput { $0.contains(#""type":"listening""#) }
            let link = try #require(try JSONValue(parsing: line)["link"]?.string)
            let received = try await receiver.must("receive", link, "--yes", "--retries", "0")
            child.kill(SIGINT)
            _ = await child.waitForExit()
            return received
        }
    }
}
