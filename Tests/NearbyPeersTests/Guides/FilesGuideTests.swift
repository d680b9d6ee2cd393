import Foundation
import NearbyPeers
import PeerTestSupport
import PeerTesting
import Testing

/// The examples of the guide "Sending files".
@Suite(.timeLimit(.minutes(10))) struct FilesGuideTests {
    private let chat = Chat()

    @Test func aFileIsOfferedAndTaken() async throws {
        try await TemporaryDirectory.with { directory in
            let map = directory.url.appending(path: "map.mbtiles")
            try Data("tiles".utf8).write(to: map)
            let downloads = directory.url.appending(path: "downloads")
            try FileManager.default.createDirectory(at: downloads, withIntermediateDirectories: true)
            try await chat.connected { anna, ben in
                let offers = try anna.resources()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for await offer in offers {
                            guard offer.size < 1_000_000_000 else {
                                offer.decline("That is too much for this machine.")
                                continue
                            }
                            let received = try await offer.receive(.folder(path: downloads.path)) { progress in
                                #expect(progress.bytes <= progress.size)
                            }
                            #expect(received == .file(path: downloads.appending(path: "map.mbtiles").path))
                            return
                        }
                    }
                    let sending = try await ben.send(file: map.path, to: anna.local.id)
                    for await progress in sending.progress() { #expect(progress.fraction <= 1) }
                    try await sending.finished()
                    try await group.waitForAll()
                }
            }
            #expect(try Data(contentsOf: downloads.appending(path: "map.mbtiles")) == Data("tiles".utf8))
        }
    }

    @Test func bytesAreOfferedInTheSameWay() async throws {
        let export = Data("{}".utf8)
        try await chat.connected { anna, ben in
            let offers = try anna.resources()
            let sending = try await ben.send(resource: .bytes(export), named: "profile.json", to: anna.local.id)
            var iterator = offers.makeAsyncIterator()
            let offer = try #require(await iterator.next())
            #expect(try await offer.receive(.memory(limit: 1_000_000)) == .bytes(export))
            try await sending.finished()
        }
    }

    @Test func aFileIsOfferedAgainAfterALinkHasEnded() async throws {
        try await TemporaryDirectory.with { directory in
            let map = directory.url.appending(path: "map.mbtiles")
            try Data("tiles".utf8).write(to: map)
            try await chat.connected { anna, ben in
                let offers = try anna.resources()
                let delivery = Task(executorPreference: chat.network.executor) {
                    try await Self.deliver(map.path, to: anna.local.id, in: ben)
                }
                var iterator = offers.makeAsyncIterator()
                _ = try #require(await iterator.next())
                chat.network.partition([["anna"], ["ben"]])
                await chat.network.clock.advance(by: .seconds(60))
                #expect(ben.connectedPeers.isEmpty)
                chat.network.heal()
                let next = try await chat.network.clock.advance {
                    var iterator = offers.makeAsyncIterator()
                    return await iterator.next()
                }
                let again = try #require(next)
                #expect(try await again.receive(.memory(limit: 100)) == .bytes(Data("tiles".utf8)))
                try await delivery.value
            }
        }
    }

    /// Sends a file, as often as the link ends before the peer has it; returns at the end of the session or of its task, too.
    private static func deliver(_ file: String, to peer: PeerID, in session: PeerSession) async throws {
        let events = session.events()
        repeat {
            do throws(PeerError) {
                return try await session.send(file: file, to: peer).finished()
            } catch {
                guard error.code == .connectionLost || error.code == .notConnected else { throw error }
            }
        } while await events.contains { event in
            if case .changed(let other, _) = event { other.id == peer && other.state == .connected } else { false }
        }
    }
}
