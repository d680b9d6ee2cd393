import Foundation
import PeerTestSupport
import Testing

/// Transfers of some parts of a region.
@Suite(.takingTurns, .timeLimit(.minutes(10))) struct PartialTransferTests {
    @Test func onlyWhatTheReceiverWantsCrosses() async throws {
        try await ConnectTests.withTwo { sender, receiver, _ in
            try await sender.sendQuietly(Example.name) { running in
                let received = try await receiver.receive(from: running.port, "--only", "map,waypoints")
                #expect(received.code == 0, "\(received)")
                let imported = try received.lines.last?["imported"]
                #expect(imported == .object(["mbtiles": .number(1), "waypoints": .number(46)]))
            }
            let contents = try StoreContents(of: receiver.store)
            #expect(contents.count("hike") == 0)
            #expect(contents.count("plannedRoute") == 0)
            #expect(contents.count("waypoint") == 46)
            #expect(contents.files.count == 1)
        }
    }

    @Test func onlyWhatTheSenderGivesCrosses() async throws {
        try await ConnectTests.withTwo { sender, receiver, _ in
            try await sender.sendQuietly(Example.name, ["--only", "map,planned"]) { running in
                let received = try await receiver.receive(from: running.port)
                #expect(received.code == 0, "\(received)")
                let imported = try received.lines.last?["imported"]
                #expect(imported == .object(["mbtiles": .number(1), "plannedroutes": .number(1)]))
            }
            let contents = try StoreContents(of: receiver.store)
            #expect(contents.count("waypoint") == 0)
            #expect(contents.files.count == 1)
        }
    }

    @Test func waypointsAloneNeedARegionToGoTo() async throws {
        try await ConnectTests.withTwo { sender, receiver, _ in
            try await sender.sendQuietly(Example.name) { running in
                let refused = try await receiver.receive(from: running.port, "--only", "waypoints")
                #expect(refused.code == 3, "\(refused)")
                #expect(try refused.problem()["message"]?.string?.contains("without its map") == true)
                #expect(try StoreContents(of: receiver.store).count("region") == 0)

                #expect(try await receiver.receive(from: running.port, "--only", "map").code == 0)
                let later = try await receiver.receive(from: running.port, "--only", "waypoints")
                #expect(later.code == 0, "\(later)")
            }
            #expect(try StoreContents(of: receiver.store).count("waypoint") == 46)
        }
    }

    @Test func aMapAloneCrosses() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, receiver) = (Laptop(store: directory.path("a")), Laptop(store: directory.path("b")))
            try MapMaker.make(directory.path("n.mbtiles"))
            try await sender.must("import", directory.path("n.mbtiles"))
            try await sender.sendQuietly("Nordkette", ["--once"]) { running in
                let received = try await receiver.receive(from: running.port)
                #expect(received.code == 0, "\(received)")
                #expect(try received.lines.last?["imported"] == .object(["mbtiles": .number(1)]))
                #expect(await running.child.ending().code == 0)
            }
            try Example.expectSame(sender, receiver)
        }
    }

    @Test func aRegionWhoseRoutingFileIsGoneCrossesWithoutIt() async throws {
        try await ConnectTests.withTwo { sender, receiver, _ in
            let files = try StoreContents(of: sender.store).files.keys
            let routing = try #require(files.first { $0.hasSuffix(".routing.db") })
            try FileManager.default.removeItem(atPath: sender.store + "/" + routing)
            let sent = try await sender.sendQuietly(Example.name, ["--once"]) { running in
                let received = try await receiver.receive(from: running.port)
                #expect(received.code == 0, "\(received)")
                #expect(try received.lines.last?["imported"]?["routing"] == nil)
                #expect(try received.lines.last?["imported"]?["waypoints"]?.int == 46)
                return await running.child.ending()
            }
            #expect(sent.code == 0, "\(sent)")
            #expect(sent.words.contains("routing"), "nobody is told that the routing data does not go along")
            let shown = try await receiver.must("show", Example.name)
            #expect(try shown.lines.first?["routingSize"] == nil)
        }
    }
}
