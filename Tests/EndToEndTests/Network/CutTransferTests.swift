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
