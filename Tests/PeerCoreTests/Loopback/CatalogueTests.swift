import Foundation
import NIOCore
import PeerTestSupport
import Synchronization
import Testing

@testable import PeerCore

/// Several offers in one conversation.
@Suite(.timeLimit(.minutes(10))) struct CatalogueTests {
    private struct Offer: Codable {
        var id: UUID
    }

    /// A sink for any number of offers, one after the other.
    private final class Sinks: ResourceSink {
        private let sinks: [UUID: MemorySink]

        init(_ sources: [MemorySource]) {
            sinks = Dictionary(uniqueKeysWithValues: sources.map { ($0.manifest.id, MemorySink()) })
        }

        subscript(id: UUID) -> MemorySink.State? { sinks[id]?.snapshot }

        private func sink(_ manifest: Manifest) throws -> MemorySink {
            guard let sink = sinks[manifest.id] else { throw MemoryStoreError(reportToPeer: "unknown") }
            return sink
        }

        func examine(_ manifest: Manifest) throws { try sink(manifest).examine(manifest) }

        func begin(
            _ manifest: Manifest,
            accepting kinds: Set<ResourceKind>,
            from peer: RemotePeer
        ) throws -> any IncomingTransfer {
            try sink(manifest).begin(manifest, accepting: kinds, from: peer)
        }
    }

    /// What both sides say.
    private struct Outcome: Sendable {
        var received: [TransferReceiver.Result] = []
        var error: PeerError?
        var sent: [TransferSender.Finished] = []
    }

    private final class Record: Sendable {
        let outcome = Mutex(Outcome())
    }

    /// Sends three offers to a receiver that picks.
    private func transfer(
        _ sources: [MemorySource],
        _ pair: Pair,
        into sink: any ResourceSink,
        takesCatalogues: Bool = true,
        pick: @escaping @Sendable (OfferPicking.Offer) async throws -> OfferPicking.Answer,
        decide: @escaping @Sendable (TransferOffer) async throws -> OfferAnswer = { .accept($0.kinds) }
    ) async throws -> Outcome {
        let catalogue = try Catalogue(offers: sources.map { Offer(id: $0.manifest.id) })
        let first = try #require(sources.first)
        let record = Record()
        try await PeerListener.with(local: pair.sender, host: "127.0.0.1", configuration: pair.sending) { listener in
            let address = try SocketAddress(ipAddress: "127.0.0.1", port: listener.port)
            var sender = TransferSender(local: pair.sender, source: first, configuration: pair.sending)
            sender.choice = OfferChoice(of: catalogue) { _, id in
                guard let source = sources.first(where: { $0.manifest.id == id }) else {
                    throw MemoryStoreError(reportToPeer: "unknown")
                }
                return source
            } concluded: { finished in
                record.outcome.withLock { $0.sent.append(finished) }
            }
            let serving = sender
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await serving.serve(on: listener, decide: { _ in .acceptAndPin }) { finished in
                        record.outcome.withLock { $0.sent.append(finished) }
                        return false
                    }
                }
                var receiver = TransferReceiver(local: pair.receiver, configuration: pair.receiving)
                if takesCatalogues {
                    receiver.picking = OfferPicking(decide: pick) { result in
                        record.outcome.withLock { $0.received.append(result) }
                    }
                }
                do {
                    let last = try await receiver.receive(from: [address], into: sink, decide: decide)
                    record.outcome.withLock { $0.received.append(last) }
                } catch {
                    record.outcome.withLock { $0.error = error as? PeerError }
                }
                try await group.waitForAll()
            }
        }
        return record.outcome.withLock { $0 }
    }

    private func sources(_ count: Int = 3) throws -> [MemorySource] {
        var generator = SeededGenerator(seed: 7)
        return try (0..<count).map { number in
            try MemorySource([(.mbtiles, generator.bytes(300_000 + number)), (.waypoints, generator.bytes(number))])
        }
    }

    @Test(arguments: [EncryptionPreference.required, .none], [LaneUse.never, .always(2)])
    func whatIsPickedArrivesInOneConversation(encryption: EncryptionPreference, lanes: LaneUse) async throws {
        let sources = try sources()
        let ids = sources.map(\.manifest.id)
        let sinks = Sinks(sources)
        var pair = try Pair(encryption: encryption)
        pair.sending.lanes = lanes
        let outcome = try await transfer(sources, pair, into: sinks) { offer in
            #expect(offer.catalogue.ids == ids)
            return .pickAndPin([ids[2], ids[0]])
        }
        #expect(outcome.error == nil)
        #expect(outcome.received.map(\.offer) == [ids[2], ids[0]])
        #expect(outcome.received.map(\.receipt.imported["mbtiles"]) == [300_002, 300_000])
        // The meter begins anew with each offer.
        #expect(outcome.received.map(\.bytesTransferred) == [300_004, 300_000])
        #expect(outcome.sent.map(\.offer) == [ids[2], ids[0]])
        #expect(outcome.sent.allSatisfy { (try? $0.result.get()) != nil })
        #expect(Set(outcome.sent.map(\.transfer)) == [1])
        for (source, isPicked) in zip(sources, [true, false, true]) {
            let state = try #require(sinks[source.manifest.id])
            #expect(state.isCommitted == isPicked)
            if isPicked { #expect(state.committed?[.mbtiles] == source.bytes(.mbtiles)) }
        }
    }

    @Test func anOfferThatIsDeclinedIsPassedOver() async throws {
        let sources = try sources()
        let ids = sources.map(\.manifest.id)
        let sinks = Sinks(sources)
        let outcome = try await transfer(sources, try Pair(), into: sinks) { _ in
            .pick(ids)
        } decide: { offer in
            #expect(offer.pairing == nil)
            return offer.manifest.id == ids[1] ? .decline(Refusal(.declined, "no.")) : .accept(offer.kinds)
        }
        #expect(outcome.error == nil)
        #expect(outcome.received.map(\.offer) == [ids[0], ids[2]])
        #expect(outcome.sent.map(\.offer) == ids)
        #expect(outcome.sent.map { (try? $0.result.get()) != nil } == [true, false, true])
        #expect(sinks[ids[1]]?.isCommitted == false && sinks[ids[2]]?.isCommitted == true)
    }

    @Test func whatWasReceivedStaysIfTheOthersCannotBeStored() async throws {
        let sources = try sources()
        let ids = sources.map(\.manifest.id)
        let sinks = Sinks(Array(sources.prefix(1)))
        let outcome = try await transfer(sources, try Pair(), into: sinks) { _ in .pick(ids) }
        #expect(outcome.error?.code == .localStorage && outcome.error?.cause is MemoryStoreError)
        #expect(outcome.received.map(\.offer) == [ids[0]])
        #expect(sinks[ids[0]]?.isCommitted == true)
        #expect(outcome.sent.map(\.offer) == ids)
        #expect(outcome.sent.map { (try? $0.result.get()) != nil } == [true, false, false])
    }

    @Test func anOfferThatCannotBeStoredIsPassedOver() async throws {
        let sources = try sources()
        let ids = sources.map(\.manifest.id)
        let sinks = Sinks([sources[0], sources[2]])
        let outcome = try await transfer(sources, try Pair(), into: sinks) { _ in .pick(ids) }
        #expect(outcome.error == nil)
        #expect(outcome.received.map(\.offer) == [ids[0], ids[2]])
        #expect(outcome.sent.map { (try? $0.result.get()) != nil } == [true, false, true])
    }

    /// The positions of a declined offer mean nothing in the manifest of the next one, which may have fewer.
    @Test func whatWasAskedOfADeclinedOfferIsForgotten() async throws {
        var generator = SeededGenerator(seed: 9)
        let kinds: [ResourceKind] = [.mbtiles, .routing, .waypoints, .photos, .savedroutes]
        let first = try MemorySource(kinds.map { ($0, generator.bytes(300_000)) })
        let second = try MemorySource([(.mbtiles, generator.bytes(300_000))])
        let ids = [first.manifest.id, second.manifest.id]
        let catalogue = try Catalogue(offers: ids.map { Offer(id: $0) })
        let digests = try second.chunkDigests(of: try #require(second.manifest.entries.first))
        let pair = try Pair(encryption: .none)
        try await PeerListener.with(local: pair.sender, host: "127.0.0.1", configuration: pair.sending) { listener in
            let address = try SocketAddress(ipAddress: "127.0.0.1", port: listener.port)
            var sender = TransferSender(local: pair.sender, source: first, configuration: pair.sending)
            sender.choice = OfferChoice(of: catalogue) { _, id in
                id == first.manifest.id ? first : second
            } concluded: { _ in
            }
            let serving = sender
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await serving.serve(on: listener, decide: { _ in .accept }) { _ in false } }
                try await RawPeer.connected(to: address) { peer in
                    try await peer.greet()
                    try await peer.send(.invite(InvitationRequest(timeout: 300)))
                    guard try await peer.next(.catalogue) != nil else { throw ScriptError("no catalogue") }
                    try await peer.send(.pick(OfferPick(ids: ids)))
                    guard try await peer.next(.manifest) != nil else { throw ScriptError("no manifest") }
                    try await peer.send(
                        .digestQuery(DigestQuery(kinds: kinds)),
                        .decline(Refusal(.declined, "no."))
                    )
                    guard case .manifest(let body) = try await peer.next(.manifest) else {
                        throw ScriptError("no second manifest")
                    }
                    let manifest = try Manifest(parsing: body)
                    #expect(manifest.id == ids[1])
                    try await peer.send(.selection(ResourceSelection(kinds: [.mbtiles])))
                    guard case .digests(let part) = try await peer.next(.digests) else {
                        throw ScriptError("no digests")
                    }
                    #expect(part.digests.first == digests.first)
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func theListCanBeDeclined() async throws {
        let sources = try sources()
        let sinks = Sinks(sources)
        let outcome = try await transfer(sources, try Pair(), into: sinks) { _ in
            .decline(Refusal(.declined, "the person there said no."))
        }
        #expect(outcome.error?.code == .declined)
        #expect(outcome.received.isEmpty)
        let sent = try #require(outcome.sent.first)
        #expect(sent.offer == nil)
        let error = #expect(throws: PeerError.self) { try sent.result.get() }
        #expect(error?.code == .declined)
    }

    @Test func aReceiverThatKnowsNoListsRefusesIt() async throws {
        let sources = try sources()
        let outcome = try await transfer(
            sources,
            try Pair(),
            into: Sinks(sources),
            takesCatalogues: false,
            pick: { _ in .decline(Refusal(.declined, "")) }
        )
        #expect(outcome.error?.code == .protocolViolation)
    }
}
