import Foundation
import NIOCore
import PeerCore
import PeerTestSupport
import PeerTesting
import Testing

@testable import NearbyPeers

/// Peers that break the rules of resources, over loopback with TLS.
@Suite(.timeLimit(.minutes(10))) struct HostileAttachmentTests {
    private static let transfer = UUID()

    private static func notice(_ verb: ResourceNotice.Verb, _ transfer: UUID = transfer) throws -> Frame {
        .record(Record(.resource, payload: try ResourceNotice(transfer: transfer, verb: verb).encoded()))
    }

    private static func offer() throws -> Frame {
        try notice(.offer(ResourceNotice.Offer(name: "map", size: 5, count: 1)))
    }

    /// A peer has offered a resource, and knows the secret of the connection for it.
    private func withSecret(
        _ body: @escaping @Sendable (World, PeerSession, RawSession, ConnectionSecret) async throws -> Void
    ) async throws {
        let world = World(.loopback)
        try await world.session("anna") { anna in
            let lines = try anna.messages(of: Line.self)
            let offers = try anna.resources()
            try await world.attackLinked(on: anna) { raw in
                raw.send(try Self.offer())
                var iterator = offers.makeAsyncIterator()
                let offer = try #require(await iterator.next())
                let reception = Task { try await offer.receive(.memory(limit: 100)) }
                try await world.until { raw.secret != nil }
                try await body(world, anna, raw, try #require(raw.secret))
                reception.cancel()
                let error = await #expect(throws: PeerError.self) { try await reception.value }
                #expect(error?.code == .cancelled)
            }
            try await world.checkThatOthersAreServed(by: anna, lines)
        }
    }

    @Test func aGuessedSecretGetsNothing() async throws {
        try await withSecret { world, anna, raw, _ in
            var random = SystemRandomNumberGenerator()
            let guess = try Self.notice(.attach(ConnectionSecret(using: &random)))
            try await world.attackAfterHello(on: anna, with: raw.local) { other in
                other.send(guess)
                try await world.until { other.side.hasEnded }
                #expect(!other.side.frames.contains { $0.type == .accept })
            }
            #expect(anna.connectedPeers == [raw.local.id])
        }
    }

    @Test func anotherKeyGetsNothingEvenWithTheSecret() async throws {
        try await withSecret { world, anna, raw, secret in
            let claim = try Self.notice(.attach(secret))
            try await world.attackAfterHello(on: anna, as: "trudy") { other in
                other.send(claim)
                try await world.until { other.side.hasEnded }
                #expect(!other.side.frames.contains { $0.type == .accept })
            }
            #expect(anna.connectedPeers == [raw.local.id])
        }
    }

    @Test func theRightSecretOpensTheTransferOnce() async throws {
        try await withSecret { world, anna, raw, secret in
            let claim = try Self.notice(.attach(secret))
            try await world.attackAfterHello(on: anna, with: raw.local) { other in
                other.send(claim)
                try await world.until { other.side.frames.contains { $0.type == .accept } }
                try await world.attackAfterHello(on: anna, with: raw.local) { second in
                    second.send(claim)
                    try await world.until { second.side.hasEnded }
                }
            }
        }
    }

    /// It was taken back before it was offered, and both words have crossed.
    @Test func whoAcceptsWhatIsNotOfferedIsTold() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            try await world.attackLinked(on: anna) { raw in
                let transfer = UUID()
                raw.send(try Self.notice(.accept, transfer))
                try await world.until {
                    raw.notices.contains {
                        $0.transfer == transfer && $0.verb == .cancel(reason: "The offer was withdrawn.")
                    }
                }
                #expect(anna.connectedPeers == [raw.local.id])
            }
        }
    }

    /// Other programs may not look at what this side has said it takes.
    @Test func whatIsLargerThanAllowedIsDeclined() async throws {
        let world = World(.memory)
        try await world.session("anna", Settings { $0.maximumResourceSize = 4 }) { anna in
            try await world.attackLinked(on: anna) { raw in
                raw.send(try Self.offer())
                try await world.until { raw.notices.contains { $0.verb == .decline(.resourceTooLarge(4)) } }
                #expect(anna.hub.resources.counts.resources == 0 && anna.hub.resources.offers.count == 0)
            }
        }
    }

    @Test(arguments: [
        ResourceNotice.Verb.accept, .received, .cancel(reason: "x"), .decline(Refusal(.declined, "x")),
    ]) func wordsOnWhatWasNotOfferedChangeNothing(_ verb: ResourceNotice.Verb) async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            let lines = try anna.messages(of: Line.self)
            try await world.attackLinked(on: anna) { raw in
                raw.send(try Self.notice(verb, UUID()))
                _ = await raw.side.connection.roundTrip()
                #expect(anna.connectedPeers == [raw.local.id])
            }
            try await world.checkThatOthersAreServed(by: anna, lines)
        }
    }

    /// A peer that listened lets this side open connections without end.
    @Test func oneConnectionOfAResourceIsOpenAtATime() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.linked { anna, ben in
            network.setDelay(.milliseconds(500))
            network.setRate(100_000, between: "anna", "ben")
            let offers = try ben.resources()
            let bytes = Data.pattern(300_000)
            let sending = try await anna.send(resource: .bytes(bytes), named: "map", to: ben.local.id)
            let hasEnded = Locked(false)
            let reception = Task {
                var iterator = offers.makeAsyncIterator()
                _ = try? await iterator.next()?.receive(.memory(limit: 300_000))
                hasEnded.withLock { $0 = true }
            }
            try await world.until { sending.currentProgress.bytes > 0 }
            let link = try #require(anna.states.link(ben.local.id))
            var random = SystemRandomNumberGenerator()
            for _ in 0..<1000 {
                let attach = ResourceNotice.Verb.attach(ConnectionSecret(using: &random))
                #expect(link.tell(ResourceNotice(transfer: sending.key.transfer, verb: attach)))
            }
            let most = Locked(0)
            try await world.until {
                most.withLock { $0 = max($0, ben.hub.resources.counts.connections) }
                return hasEnded.value
            }
            await reception.value
            // The next one begins when the one before has ended, just before it stops counting.
            #expect((1...2).contains(most.value), "\(most.value) connections")
        }
    }

    /// What was given up counts until it has ended.
    @Test func offersThatAreCancelledDoNotPileUp() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.session("anna") { anna in
            let offers = try anna.resources()
            let lines = try anna.messages(of: Line.self)
            try await world.attackLinked(on: anna) { raw in
                let taker = Task(executorPreference: network.executor) {
                    await withDiscardingTaskGroup { group in
                        for await offer in offers {
                            group.addTask { _ = try? await offer.receive(.memory(limit: 100)) }
                        }
                    }
                }
                let most = Locked(0)
                for _ in 0..<200 {
                    let transfer = UUID()
                    let offer = ResourceNotice.Offer(name: String(repeating: "n", count: 255), size: 5, count: 1)
                    raw.send(try Self.notice(.offer(offer), transfer))
                    // It is accepted or declined, without time.
                    try await world.until(limit: .zero) {
                        guard let last = raw.lastNotice, last.transfer == transfer else { return false }
                        switch last.verb {
                        case .attach, .decline: return true
                        default: return false
                        }
                    }
                    raw.send(try Self.notice(.cancel(reason: String(repeating: "r", count: 900)), transfer))
                    raw.send(.credit(Credit(received: UInt64(clamping: raw.records), limits: [])))
                    _ = await raw.side.connection.roundTrip()
                    most.withLock { $0 = max($0, anna.hub.resources.counts.connections) }
                }
                #expect(most.value == ResourceTransfers.maximumCount)
                try await world.until(limit: .seconds(5)) { anna.hub.resources.counts.connections == 0 }
                // Then there is room again.
                raw.send(try Self.offer())
                try await world.until(limit: .zero) {
                    raw.notices.contains { $0.transfer == Self.transfer && $0.verb == .accept }
                }
                taker.cancel()
                try await world.whileTimePasses { await taker.value }
                #expect(raw.lastWord == nil)
                try await world.checkThatOthersAreServed(by: anna, lines)
            }
        }
    }

    @Test func anOfferThatIsTakenBackOrAnsweredLeavesNoTimer() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.linked { anna, ben in
            let offers = try anna.resources()
            let queue = anna.hub.resources.offers
            let before = network.clock.timerCount
            for number in 0..<100 {
                let sending = try await ben.send(resource: .bytes(Data([1])), named: "one byte", to: anna.local.id)
                try await world.until { queue.count == 1 }
                if number.isMultiple(of: 10) {
                    try await world.whileTimePasses {
                        var iterator = offers.makeAsyncIterator()
                        _ = try await #require(await iterator.next()).receive(.memory(limit: 1))
                        try await sending.finished()
                    }
                } else {
                    sending.cancel()
                    try await world.until { queue.count == 0 }
                }
            }
            #expect(network.clock.timerCount < before + 10)
        }
    }

    @Test func anOfferOfALinkThatHasEndedIsIgnored() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            let link = try await world.session("ben") { ben in
                try await ben.invite(at: [world.address(of: anna)])
                return try #require(anna.states.link(ben.local.id))
            }
            try await world.until { anna.connectedPeers.isEmpty }
            let offer = ResourceNotice.Offer(name: "map", size: 5, count: 1)
            anna.hub.resources.received(ResourceNotice(transfer: UUID(), verb: .offer(offer)), on: link)
            #expect(anna.hub.resources.offers.count == 0)
            #expect(anna.hub.resources.counts.resources == 0)
        }
    }
}

extension RawSession {
    fileprivate var notices: [ResourceNotice] {
        side.frames.compactMap { frame in
            guard case .record(let record) = frame, record.kind == .resource else { return nil }
            return try? ResourceNotice(decoding: record.payload)
        }
    }

    fileprivate var lastNotice: ResourceNotice? {
        guard case .record(let record)? = side.frames.last(where: { $0.type != .credit }) else { return nil }
        return try? ResourceNotice(decoding: record.payload)
    }

    /// How many records the session has sent.
    fileprivate var records: Int { side.frames.count { if case .record = $0 { true } else { false } } }

    /// The secret that the session has told last.
    fileprivate var secret: ConnectionSecret? {
        notices.compactMap { if case .attach(let secret) = $0.verb { secret } else { nil } }.last
    }
}
