import Foundation
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing

/// The program against a peer that was written from the wire format's page alone.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct ReferencePeerTests {
    /// How many bytes cross before a connection is broken; the example has nearly three times as many.
    private static let interruption = 1_000_000

    /// A laptop with the example region, one without anything, and the reference peer.
    private func withAll(
        _ body: (_ full: Laptop, _ empty: Laptop, _ peer: ReferencePeer, TemporaryDirectory) async throws -> Void
    ) async throws {
        try await TemporaryDirectory.with { directory in
            let full = Laptop(store: directory.path("a"))
            try await Example.put(on: full)
            let empty = Laptop(store: directory.path("b"))
            try await body(full, empty, ReferencePeer("peer", in: directory), directory)
        }
    }

    /// Sends the example from a laptop, which lets in only those who have the link.
    private func send(_ laptop: Laptop, _ body: (ChildProcess, _ link: String) async throws -> Void) async throws {
        let arguments = ["send", Example.name, "--no-discovery", "--format", "json"]
        try await laptop.start(arguments) { child in
            let line = try await child.waitForOutput { $0.contains(#""type":"listening""#) }
            try await body(child, try #require(try JSONValue(parsing: line)["link"]?.string))
            child.kill(SIGINT)
            _ = await child.waitForExit()
        }
    }

    /// Gives the peer the example region.
    private func fill(_ peer: ReferencePeer, from laptop: Laptop) async throws {
        try await send(laptop) { _, link in
            let received = try await peer.receive(from: link)
            try #require(received.code == 0, "\(received)")
        }
    }

    private func receive(_ link: String, on laptop: Laptop) async throws -> Ending {
        try await laptop.run("receive", link, "--yes", "--retries", "0")
    }

    @Test func itReadsEveryExampleOfThePage() async throws {
        let ending = try await ReferencePeer.run(script: "check_page.py")
        #expect(ending.code == 0, "\(ending)")
    }

    @Test func aRegionWithAPhotoGoesToThePeerAndBackByLink() async throws {
        try await withAll { full, empty, peer, directory in
            let photo = directory.path("photo.jpg")
            var generator = SeededGenerator(seed: 1)
            try Data([0xFF, 0xD8, 0xFF, 0xE0] + generator.bytes(100_000)).write(to: URL(fileURLWithPath: photo))
            let shown = try await full.must("show", Example.name).lines("waypoint")
            let labels = shown.compactMap { $0["label"]?.string }
            let label = try #require(labels.first { label in !label.isEmpty && labels.count { $0 == label } == 1 })
            try await full.must("import", photo, "--waypoint", label)

            try await send(full) { child, link in
                let received = try await peer.receive(from: link)
                #expect(received.code == 0, "\(received)")
                let sent = try JSONValue(parsing: try await child.waitForOutput { $0.contains(#""type":"sent""#) })
                #expect(sent["imported"] == (try received.lines("received").first?["imported"]))
                #expect(sent["imported"]?["photos"]?.int == 1 && sent["imported"]?["waypoints"]?.int == 46)
            }
            let sent = try await peer.send { _, link, _ in
                let received = try await receive(link, on: empty)
                #expect(received.code == 0, "\(received)")
            }
            #expect(sent.code == 0, "\(sent)")
            try await Example.expectWhole(on: empty, as: full, in: directory)
        }
    }

    @Test func aReceptionOfThePeerIsResumed() async throws {
        try await withAll { full, _, peer, _ in
            try await send(full) { _, link in
                let broken = try await peer.receive(from: link, "--stop-after", "\(Self.interruption)")
                #expect(try broken.lines.last?.type == "stopped", "\(broken)")
                let resumed = try await peer.receive(from: link)
                #expect(resumed.code == 0, "\(resumed)")
                let size = try #require(try resumed.lines("offer").first?["size"]?.int)
                let bytes = try #require(try resumed.lines("received").first?["bytes"]?.int)
                #expect(bytes > 0 && bytes <= size - Self.interruption + 2 * 65_536, "\(resumed)")
            }
        }
    }

    @Test func aReceptionFromThePeerIsResumed() async throws {
        try await withAll { full, empty, peer, directory in
            try await fill(peer, from: full)
            let stopped = try await peer.send("--stop-after", "\(Self.interruption)") { _, link, _ in
                let broken = try await receive(link, on: empty)
                #expect(broken.code == 4, "\(broken)")
            }
            #expect(try stopped.lines.last?.type == "stopped", "\(stopped)")
            let sent = try await peer.send { _, link, _ in
                let resumed = try await receive(link, on: empty)
                #expect(resumed.code == 0, "\(resumed)")
                let last = try resumed.lines.last
                #expect(try #require(last?["bytesSaved"]?.int) > 0, "\(resumed)")
            }
            #expect(sent.code == 0, "\(sent)")
            try await Example.expectWhole(on: empty, as: full, in: directory)
        }
    }

    @Test func thePeerAnswersWhatIsAskedBeforeTheYes() async throws {
        try await withAll { full, empty, peer, directory in
            try await fill(peer, from: full)
            _ = try await peer.send("--stop-after", "\(Self.interruption)") { _, link, _ in
                let broken = try await receive(link, on: empty)
                #expect(broken.code == 4, "\(broken)")
            }
            let sent = try await peer.send { _, link, _ in
                let (status, text) = try await empty.inTerminal(["receive", link, "--retries", "0"]) { screen in
                    try await screen.wait { $0.hasOffer }
                    let total = /km, [\d.]+ MB, about [\d.]+ (k|M)B to transfer/
                    #expect(screen.words.contains(total), "\(screen.words)")
                    try screen.type("y\n")
                    return try await screen.complete()
                }
                #expect(status == .exited(0), "\(text)")
            }
            #expect(sent.code == 0, "\(sent)")
            try await Example.expectWhole(on: empty, as: full, in: directory)
        }
    }

    /// A newer map costs its new tiles in both directions, although the peer knows of pieces only what the page says.
    @Test func ofANewerMapOnlyNewTilesCross() async throws {
        try await TemporaryDirectory.with { directory in
            var generator = SeededGenerator(seed: 1)
            var tiles = (0..<400).map { number in
                TiledMap.Tile(
                    zoom: 12,
                    column: 2_060 + number / 20,
                    row: 2_560 + number % 20,
                    bytes: generator.bytes(5_000)
                )
            }
            let (older, newer) = (directory.path("older.mbtiles"), directory.path("newer.mbtiles"))
            try TiledMap(tiles).write(to: older)
            for index in [3, 200, 399] { tiles[index].bytes = generator.bytes(4_000) }
            try TiledMap(tiles.shuffled(using: &generator)).write(to: newer)
            let (full, empty) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            try await full.must("import", newer, "--name", Example.name)
            try await empty.must("import", older, "--name", Example.name)
            let peer = ReferencePeer("peer", in: directory)
            // The tiles lie in another order, so nothing is the same at the same place.
            try await send(full) { _, link in
                let received = try await peer.receive(from: link, "--older", older)
                #expect(received.code == 0, "\(received)")
                let bytes = try #require(try received.lines("received").first?["bytes"]?.int)
                #expect(bytes >= 12_000 && bytes < 40_000, "\(bytes)")
            }
            let arrived = try Data(contentsOf: URL(fileURLWithPath: peer.folder + "/mbtiles"))
            #expect(try arrived == Data(contentsOf: URL(fileURLWithPath: newer)))
            try await send(full) { _, link in
                let received = try await receive(link, on: empty)
                #expect(received.code == 0, "\(received)")
                let bytes = try #require(try received.lines("received").first?["bytes"]?.int)
                #expect(bytes >= 12_000 && bytes < 40_000, "\(bytes)")
            }
        }
    }

    @Test func aWrongTokenOpensNothing() async throws {
        try await withAll { full, empty, peer, _ in
            try await send(full) { _, link in
                let refused = try await peer.receive(from: ShareLink.withOtherToken(link))
                #expect(try refused.lines.last?["word"]?.string == "decline", "\(refused)")
                #expect(try refused.lines.last?["code"]?.string == "link", "\(refused)")
                #expect(!FileManager.default.fileExists(atPath: peer.folder))
            }
            try await fill(peer, from: full)
            let sent = try await peer.send { _, link, _ in
                let refused = try await receive(ShareLink.withOtherToken(link), on: empty)
                #expect(refused.code == 5, "\(refused)")
                #expect(try refused.problem()["code"]?.string == "declined")
            }
            #expect(try sent.lines.last?["code"]?.string == "link", "\(sent)")
            #expect(try StoreContents(of: empty.store).count("region") == 0)
        }
    }

    @Test func aWrongKeyIsNotSpokenTo() async throws {
        try await withAll { full, _, peer, _ in
            try await send(full) { _, link in
                let refused = try await peer.receive(from: ShareLink.withOtherKey(link))
                #expect(try refused.lines.last?["code"]?.string == "notTrusted", "\(refused)")
            }
        }
    }

    @Test func theProgramKeepsNoChunkThatThePeerAltered() async throws {
        try await withAll { full, empty, peer, _ in
            try await fill(peer, from: full)
            let sent = try await peer.send("--tamper") { _, link, _ in
                let refused = try await receive(link, on: empty)
                #expect(refused.code == 6, "\(refused)")
                #expect(try refused.problem()["code"]?.string == "verificationFailed")
            }
            #expect(try sent.lines.last?["code"]?.string == "digestMismatch", "\(sent)")
            #expect(try StoreContents(of: empty.store).count("region") == 0)
        }
    }

    @Test func thePeerKeepsNoChunkThatASenderAltered() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, receiver) = (ReferencePeer("a", in: directory), ReferencePeer("b", in: directory))
            let full = Laptop(store: directory.path("store"))
            try await Example.put(on: full)
            try await fill(sender, from: full)
            let sent = try await sender.send("--tamper") { _, link, _ in
                let refused = try await receiver.receive(from: link)
                #expect(try refused.lines.last?["code"]?.string == "digestMismatch", "\(refused)")
            }
            #expect(try sent.lines.last?["code"]?.string == "digestMismatch", "\(sent)")
            let partial = try Data(contentsOf: URL(fileURLWithPath: receiver.folder + "/mbtiles.partial"))
            #expect(partial.isEmpty)
        }
    }
}
