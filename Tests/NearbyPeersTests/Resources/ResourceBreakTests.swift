import Foundation
import NearbyPeers
import PeerTestSupport
import PeerTesting
import Testing

/// Transfers that break off, are stopped, or go on later.
@Suite(.timeLimit(.minutes(10))) struct ResourceBreakTests {
    /// Makes a megabyte take ten seconds.
    private func slowDown(_ network: InMemoryNetwork) {
        network.setRate(100_000, between: "anna", "ben")
    }

    @Test(arguments: [false, true], ResourceTests.Sender.allCases)
    func aTransferGoesOnAfterABreak(isSilent: Bool, sender: ResourceTests.Sender) async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        let bytes = Data.pattern(2_000_000)
        try await world.linked { anna, ben in
            slowDown(network)
            let (from, to) = sender == .dialed ? (ben, anna) : (anna, ben)
            let offers = try to.resources()
            let sending = try await from.send(resource: .bytes(bytes), named: "map", to: to.local.id)
            let progress = Locked<UInt64>(0)
            let reception = Task {
                var iterator = offers.makeAsyncIterator()
                let offer = try #require(await iterator.next())
                return try await offer.receive(.memory(limit: 2_000_000)) { update in
                    progress.withLock { $0 = max($0, update.bytes) }
                }
            }
            for limit: UInt64 in [500_000, 1_000_000, 1_500_000] {
                try await world.until { progress.withLock { $0 } > limit }
                network.cut("anna", "ben", silently: isSilent)
            }
            let start = network.clock.elapsed
            #expect(try await world.whileTimePasses { try await reception.value } == .bytes(bytes))
            try await world.whileTimePasses { try await sending.finished() }
            // What had come was not sent again: that would take 20 seconds.
            #expect(network.clock.elapsed - start < .seconds(18))
        }
    }

    @Test func aSenderThatStopsIsHeard() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.linked { anna, ben in
            slowDown(network)
            let offers = try anna.resources()
            let bytes = Data.pattern(2_000_000)
            let sending = try await ben.send(resource: .bytes(bytes), named: "map", to: anna.local.id)
            let other = try await ben.send(resource: .bytes(Data([7])), named: "note", to: anna.local.id)
            let received = Locked<[String]>([])
            let reader = Task {
                await withDiscardingTaskGroup { group in
                    for await offer in offers {
                        group.addTask {
                            do throws(PeerError) {
                                _ = try await offer.receive(.memory(limit: 2_000_000))
                                received.withLock { $0.append("\(offer.name) received") }
                            } catch {
                                received.withLock { $0.append("\(offer.name) \(error.code) \(error.message)") }
                            }
                        }
                    }
                }
            }
            try await world.until { sending.currentProgress.bytes > 300_000 }
            sending.cancel("The wrong map.")
            let error = try await world.whileTimePasses {
                await #expect(throws: PeerError.self) { try await sending.finished() }
            }
            #expect(error?.code == .cancelled)
            // One transfer is stopped, and not all.
            try await world.whileTimePasses { try await other.finished() }
            try await world.until { received.withLock { $0.count } == 2 }
            let words = received.withLock { $0.sorted() }
            #expect(
                words.first?.hasPrefix("map peerCancelled") == true && words.first?.contains("The wrong map.") == true
            )
            #expect(words.last == "note received")
            reader.cancel()
        }
    }

    @Test func aReceiverThatStopsIsHeard() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.linked { anna, ben in
            slowDown(network)
            let offers = try anna.resources()
            let bytes = Data.pattern(2_000_000)
            let sending = try await ben.send(resource: .bytes(bytes), named: "map", to: anna.local.id)
            let reception = Task {
                var iterator = offers.makeAsyncIterator()
                let offer = try #require(await iterator.next())
                return try await offer.receive(.memory(limit: 2_000_000))
            }
            try await world.until { sending.currentProgress.bytes > 300_000 }
            reception.cancel()
            let errors = try await world.whileTimePasses {
                let own = await #expect(throws: PeerError.self) { try await reception.value }
                return (own, await #expect(throws: PeerError.self) { try await sending.finished() })
            }
            #expect(errors.0?.code == .cancelled)
            #expect(errors.1?.code == .peerCancelled)
        }
    }

    @Test func aTransferEndsWithTheLinkAndGoesOnWhenItIsOfferedAgain() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        let folder = try ScratchFolder()
        defer { folder.remove() }
        let bytes = Data.pattern(2_000_000)
        let settings = Settings { $0.partialResources = .init(in: folder.url.appending(path: "parts").path) }
        try await world.session("anna", settings) { anna in
            let offers = try anna.resources()
            try await world.session("ben") { ben in
                try await ben.invite(at: [world.address(of: anna)])
                slowDown(network)
                let sending = try await ben.send(resource: .bytes(bytes), named: "map", to: anna.local.id)
                let reception = Task {
                    var iterator = offers.makeAsyncIterator()
                    return try await #require(await iterator.next()).receive(.folder(path: folder.url.path))
                }
                try await world.until { sending.currentProgress.bytes > 1_500_000 }
                network.partition([["anna"], ["ben"]])
                let errors = try await world.whileTimePasses {
                    let receiver = await #expect(throws: PeerError.self) { try await reception.value }
                    return (receiver, await #expect(throws: PeerError.self) { try await sending.finished() })
                }
                #expect(errors.0?.code == .connectionLost)
                // Everything may have left the sender already.
                #expect([.connectionLost, .outcomeUnknown].contains(errors.1?.code))
                network.heal()
            }
            #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "map").path))
            // The program starts anew, and offers the same bytes.
            try await world.session("ben") { ben in
                _ = try await world.whileTimePasses { try await ben.invite(at: [world.address(of: anna)]) }
                let start = network.clock.elapsed
                let sending = try await ben.send(resource: .bytes(bytes), named: "map", to: anna.local.id)
                let received = try await world.whileTimePasses {
                    var iterator = offers.makeAsyncIterator()
                    return try await #require(await iterator.next()).receive(.folder(path: folder.url.path))
                }
                try await world.whileTimePasses { try await sending.finished() }
                #expect(received == .file(path: folder.url.appending(path: "map").path))
                #expect(try Data(contentsOf: folder.url.appending(path: "map")) == bytes)
                #expect(network.clock.elapsed - start < .seconds(10))
            }
        }
    }

    @Test(arguments: World.Kind.allCases) func whoLeavesEndsTransfers(_ kind: World.Kind) async throws {
        let world = World(kind)
        let offer = Locked<ResourceOffer?>(nil)
        try await world.session("anna") { anna in
            let offers = try anna.resources()
            try await world.session("ben") { ben in
                try await ben.invite(at: [world.address(of: anna)])
                _ = try await ben.send(resource: .bytes(Data([1, 2, 3])), named: "three bytes", to: anna.local.id)
                var iterator = offers.makeAsyncIterator()
                let first = try #require(await iterator.next())
                offer.withLock { $0 = first }
                _ = try await ben.send(resource: .bytes(Data([1])), named: "one byte", to: anna.local.id)
                _ = try await world.whileTimePasses {
                    try await ben.roundTrip(to: anna.local.id, timeout: .patience)
                }
            }
            try await world.until { anna.connectedPeers.isEmpty }
            let late = try #require(offer.value)
            let error = await #expect(throws: PeerError.self) { try await late.receive(.memory(limit: 10)) }
            #expect(error?.code == .invalidArgument)
            // What nobody can take any more does not wait for a reader.
            try await world.session("cleo") { cleo in
                try await cleo.invite(at: [world.address(of: anna)])
                _ = try await cleo.send(resource: .bytes(Data([1])), named: "another", to: anna.local.id)
                var iterator = offers.makeAsyncIterator()
                #expect(await iterator.next()?.name == "another")
            }
        }
    }
}
