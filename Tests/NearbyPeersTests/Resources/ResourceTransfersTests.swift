import Foundation
import NIOConcurrencyHelpers
import PeerCore
import PeerTestSupport
import PeerTesting
import Testing

@testable import NearbyPeers

/// How many resources are taken, and what becomes of them when connections fail.
@Suite(.timeLimit(.minutes(10))) struct ResourceTransfersTests {
    @Test func offersHaveOneReader() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            let offers = try anna.resources()
            let error = #expect(throws: PeerError.self) { try anna.resources() }
            #expect(error?.code == .invalidArgument && error?.message.contains("resources") == true)
            withExtendedLifetime(offers) {}
        }
    }

    @Test func thereAreSixteenSendingsToAPeer() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            for _ in 0..<ResourceTransfers.maximumCount {
                _ = try await ben.send(resource: .bytes(Data([1])), named: "one byte", to: anna.local.id)
            }
            try await world.until { anna.hub.resources.offers.count == ResourceTransfers.maximumCount }
            let more = try await ben.send(resource: .bytes(Data([1])), named: "one byte", to: anna.local.id)
            let error = await #expect(throws: PeerError.self) { try await more.finished() }
            // The other side has not been asked.
            #expect(error == .tooManySendings)
        }
    }

    @Test func aFileThatHasChangedIsNotOffered() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let link = try #require(ben.states.link(anna.local.id))
            let offer = ResourceNotice.Offer(name: "map", size: 5, count: 1)
            let sending = try ben.hub.resources.offer(offer, on: link) { id, _ throws(PeerError) in
                try SingleResource(.bytes(Data([1, 2])), id: id, name: "map", isStopped: { false })
            }
            let error = try await world.whileTimePasses {
                await #expect(throws: PeerError.self) { try await sending.finished() }
            }
            #expect(error?.code == .localStorage && error?.message == "The file has changed since it was offered.")
            #expect(ben.hub.resources.counts.resources == 0)
        }
    }

    /// An old connection may end after a new one has taken its place.
    @Test func anOldConnectionDetachesNothing() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let transfers = ben.hub.resources
            let carrier = try #require(transfers.state.withLockedValue { $0.carriers[anna.local.id] })
            let connection = try #require(carrier.connection)
            transfers.detached(carrier.link, connection + 1)
            #expect(transfers.state.withLockedValue { $0.carriers[anna.local.id]?.connection } == connection)
        }
    }

    /// Nobody listens there, or no answer comes.
    @Test(arguments: ["192.0.2.1:1", "198.51.100.1:1"])
    func anAttachedConnectionThatCannotBeMadeIsTriedAgain(address: String) async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let transfers = ben.hub.resources
            let right = try #require(transfers.state.withLockedValue { $0.carriers[anna.local.id]?.addresses })
            transfers.state.withLockedValue { $0.carriers[anna.local.id]?.addresses = [address] }
            let offers = try anna.resources()
            let sending = try await ben.send(
                resource: .bytes(Data([1, 2, 3])),
                named: "three bytes",
                to: anna.local.id
            )
            let reception = Task {
                var iterator = offers.makeAsyncIterator()
                return try await #require(await iterator.next()).receive(.memory(limit: 3))
            }
            try await world.until {
                transfers.state.withLockedValue { $0.resources[sending.key]?.error != nil } || sending.watch.hasEnded
            }
            transfers.state.withLockedValue { $0.carriers[anna.local.id]?.addresses = right }
            try await world.whileTimePasses { try await sending.finished() }
            #expect(try await world.whileTimePasses { try await reception.value } == .bytes(Data([1, 2, 3])))
        }
    }

    /// The next connection begins with what the receiver has, which is less than what was sent.
    @Test(arguments: ResourceTests.Sender.allCases)
    func progressDoesNotShrinkAfterABreak(sender: ResourceTests.Sender) async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.linked { anna, ben in
            network.setRate(100_000, between: "anna", "ben")
            let (from, to) = sender == .dialed ? (ben, anna) : (anna, ben)
            let offers = try to.resources()
            let content = Data.pattern(1_000_000)
            let sending = try await from.send(resource: .bytes(content), named: "map", to: to.local.id)
            let reception = Task {
                var iterator = offers.makeAsyncIterator()
                return try await #require(await iterator.next()).receive(.memory(limit: 1_000_000))
            }
            try await world.until { sending.currentProgress.bytes > 300_000 }
            network.cut("anna", "ben", silently: true)
            let bytes = Locked<UInt64>(0)
            try await world.until {
                let now = sending.currentProgress.bytes
                #expect(now >= bytes.value)
                bytes.set(now)
                return sending.watch.hasEnded
            }
            _ = try await world.whileTimePasses { try await reception.value }
        }
    }
}
