import Foundation
import NIOCore
import PeerTestSupport
import Testing

@testable import PeerCore

/// Transfers and sessions on one port.
@Suite(.timeLimit(.minutes(10))) struct FrontDeskTests {
    private static let incarnation = Incarnation.random()

    /// What a receiver with sessions says of itself.
    private static func hello(_ pair: Pair) -> Hello {
        var hello = RawPeer.hello(pair.receiver.id, encryption: .required)
        hello.features.append(Hello.sessionsFeature)
        hello.incarnation = incarnation
        return hello
    }

    /// A desk, and what comes to it.
    private struct Desk: Sendable {
        var address: SocketAddress
        var sessions = AcceptedEnds()
        var finished = FinishedSessions()
        var control = TransferControl()
    }

    /// Serves a source and sessions while `body` runs, then stops.
    private func serving(
        _ source: any ResourceSource,
        _ pair: Pair,
        isLinked: Bool = false,
        _ body: (Desk) async throws -> Void
    ) async throws {
        try await FrontDesk.with(
            local: pair.sender,
            host: "127.0.0.1",
            configuration: pair.sending,
            incarnation: Self.incarnation
        ) { frontDesk in
            let desk = Desk(address: try SocketAddress(ipAddress: "127.0.0.1", port: frontDesk.listener.port))
            let sender = TransferSender(local: pair.sender, source: source, configuration: pair.sending)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await sender.serve(
                        at: frontDesk,
                        sessions: { connection, number, admission in
                            if isLinked { #expect(admission.linked(number)) }
                            let end = ConnectionEnd(connection)
                            desk.sessions.add(end)
                            await end.run()
                            return .asked
                        },
                        control: desk.control,
                        decide: { _ in .accept },
                        finished: { outcome in
                            desk.finished.add(outcome)
                            return true
                        }
                    )
                }
                try await body(desk)
                desk.control.cancel(reason: "The test is over.")
                try await group.waitForAll()
            }
        }
    }

    /// Connects with TLS, says hello, sends a frame that asks for a session, and runs the connection until it is closed.
    private func asking(_ pair: Pair, _ frame: Frame, at desk: Desk) async throws -> ConnectionEnd {
        let end = ConnectionEnd(
            try await NetworkPair.transport.connect(
                local: pair.receiver,
                to: [desk.address],
                expecting: nil,
                configuration: pair.receiving
            )
        )
        Task { await end.run() }
        try await end.opened()
        end.connection.send([.hello(Self.hello(pair)), frame], written: nil)
        return end
    }

    @Test(arguments: [Frame.link(.sample), .invite(InvitationRequest(timeout: 300, session: .sample))])
    func aSessionGetsEverythingFromTheStart(first: Frame) async throws {
        let pair = try Pair()
        try await serving(TransferTests.source(sizes: [10]), pair) { desk in
            let end = ConnectionEnd(
                try await NetworkPair.transport.connect(
                    local: pair.receiver,
                    to: [desk.address],
                    expecting: ExpectedPeer(id: pair.senderIdentity.id),
                    configuration: pair.receiving
                )
            )
            async let run: Void = end.run()
            try await end.opened()
            // The desk says hello first.
            guard case .hello(let deskHello) = await end.nextFrame() else { throw ScriptError("no hello") }
            #expect(deskHello.incarnation == Self.incarnation)
            #expect(deskHello.features == [Hello.lanesFeature, Hello.pagesFeature, Hello.sessionsFeature])
            let hello = Frame.hello(Self.hello(pair))
            end.connection.send(hello)
            #expect(await end.connection.roundTrip() != nil)
            end.connection.send([first, .numbered(1)], written: nil)
            let session = try await desk.sessions.next()
            #expect(try await session.opened().id == pair.receiver.id)
            for frame in [hello, first, .numbered(1)] { #expect(await session.nextFrame() == frame) }
            // The session's own hello is left out.
            session.connection.send([.hello(deskHello), .numbered(2)], written: nil)
            #expect(await end.nextFrame() == .numbered(2))
            #expect(await session.connection.roundTrip() != nil)
            let allocator = try await session.channel.getOption(.recvAllocator).get()
            #expect((allocator as? AdaptiveRecvByteBufferAllocator)?.maximum == SocketTuning.linkReadLength)
            end.connection.abort()
            #expect(await session.next() == nil)
            await run
        }
    }

    @Test(arguments: [EncryptionPreference.required, .optional, .none])
    func aTransferGoesOnBesideASession(encryption: EncryptionPreference) async throws {
        var pair = try Pair(encryption: encryption)
        pair.sending.lanes = .always(2)
        let source = try TransferTests.source(sizes: [20_000_000, 5])
        try await serving(source, pair) { [pair] desk in
            var end: ConnectionEnd?
            var session: ConnectionEnd?
            if encryption != .none {
                end = try await asking(pair, .link(.sample), at: desk)
                session = try await desk.sessions.next()
            }
            let sink = MemorySink()
            _ = try await pair.receive(from: desk.address, into: sink)
            #expect(sink.snapshot.isCommitted)
            let sent = await desk.finished.next()
            _ = try #require(sent).result.get()
            guard let end, let session else { return }
            try await session.opened()
            end.connection.abort()
        }
    }

    @Test func inPlainTextThereAreOnlyTransfers() async throws {
        let pair = try Pair(encryption: .none)
        try await serving(TransferTests.source(sizes: [10]), pair) { desk in
            try await RawPeer.connected(to: desk.address) { peer in
                await peer.send(Preface.hikeshare.bytes)
                try await peer.send(.hello(RawPeer.hello()))
                guard case .hello(let hello) = try await peer.next(.hello) else { throw ScriptError("no hello") }
                #expect(hello.incarnation == nil && !hello.features.contains(Hello.sessionsFeature))
                try await peer.send(.link(.sample))
                #expect(await peer.lastFailure()?.code == ProtocolError.Code.unexpectedFrame.description)
            }
            #expect(peerError(await desk.finished.next()?.result)?.code == .protocolViolation)
        }
    }

    /// What it says later would be out of turn for whoever had got the connection; so it can only try again.
    @Test(arguments: [true, false]) func aSilentPeerIsGivenToNobody(saysHello: Bool) async throws {
        var pair = try Pair()
        if saysHello {
            pair.sending.manifestTimeout = .milliseconds(300)
        } else {
            pair.sending.handshakeTimeout = .milliseconds(300)
        }
        try await serving(TransferTests.source(sizes: [10]), pair) { [pair] desk in
            try await RawPeer.connected(to: desk.address, security: .encrypted(pair.receiverIdentity)) { peer in
                if saysHello { try await peer.greet(Self.hello(pair)) }
                #expect(await peer.lastFailure() == nil)
            }
            #expect(desk.sessions.count == 0)
        }
    }

    @Test func whoWaitsAtTheDeskMakesRoomForOthersAndALinkDoesNot() async throws {
        var pair = try Pair()
        pair.sending.maximumConnectionsPerAddress = 1
        try await serving(TransferTests.source(sizes: [10]), pair, isLinked: true) { [pair] desk in
            let end = try await asking(pair, .link(.sample), at: desk)
            let session = try await desk.sessions.next()
            try await session.opened()
            let security = RawPeer.Security.encrypted(pair.receiverIdentity)
            let hello = Self.hello(pair)
            try await RawPeer.connected(to: desk.address, security: security) { first in
                try await first.greet(hello)
                try await RawPeer.connected(to: desk.address, security: security) { second in
                    try await second.greet(hello)
                    await first.waitForEnd()
                    #expect(first.isCutOff)
                }
            }
            end.connection.send(.numbered(1))
            _ = await session.nextFrame()
            _ = await session.nextFrame()
            #expect(await session.nextFrame() == .numbered(1))
            end.connection.abort()
        }
    }

    @Test func stoppingEndsWhoWaitsAndWhoHasASession() async throws {
        let pair = try Pair()
        let runs = Locked<[Task<Void, Never>]>([])
        try await serving(TransferTests.source(sizes: [10]), pair) { desk in
            let end = try await asking(pair, .link(.sample), at: desk)
            guard case .hello = await end.nextFrame() else { throw ScriptError("no hello") }
            try await desk.sessions.next().opened()
            let waiting = ConnectionEnd(
                try await NetworkPair.transport.connect(
                    local: pair.receiver,
                    to: [desk.address],
                    expecting: nil,
                    configuration: pair.receiving
                )
            )
            runs.withLock { $0.append(Task { await waiting.run() }) }
            try await waiting.opened()
            guard case .hello = await waiting.nextFrame() else { throw ScriptError("no hello") }
            desk.control.cancel(reason: "Enough.")
            #expect(await waiting.nextFrame() == .cancel(Cancellation(reason: "Enough.")))
            waiting.connection.abort()
            #expect(await end.next() == nil)
        }
        for run in runs.value { await run.value }
    }
}
