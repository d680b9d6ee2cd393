import Foundation
import NIOCore
import PeerTestSupport
import Testing

@testable import PeerCore

/// What the first frames decide about a connection that a program with sessions has accepted.
@Suite(.timeLimit(.minutes(10))) struct FrontDeskTests {
    /// What a peer with sessions says of itself.
    private static func hello(_ id: PeerID) -> Hello {
        var hello = RawPeer.hello(id, encryption: .required)
        hello.features.append(Hello.sessionsFeature)
        hello.incarnation = .random()
        return hello
    }

    @Test(arguments: [Frame.link(.sample), .invite(InvitationRequest(timeout: 300, session: .sample))])
    func aSessionGetsEverythingFromTheStart(first: Frame) async throws {
        let pair = try NetworkPair()
        try await pair.accepting { address, ends in
            let end = ConnectionEnd(try await pair.connect(to: address).connection)
            async let run: Void = end.run()
            try await end.opened()
            // The desk says hello first.
            guard case .hello(let deskHello) = await end.nextFrame() else { throw ScriptError("no hello") }
            #expect(deskHello.incarnation != nil)
            #expect(deskHello.features == [Hello.lanesFeature, Hello.pagesFeature, Hello.sessionsFeature])
            end.connection.send(.hello(Self.hello(pair.connector.id)))
            #expect(await end.connection.roundTrip() != nil)
            end.connection.send([first, .numbered(1)], written: nil)
            let session = try await ends.next()
            #expect(try await session.opened().id == pair.connector.id)
            for frame in [first, .numbered(1)] { #expect(await session.nextFrame() == frame) }
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

    /// What it says later would be out of turn for whoever had got the connection; so it can only try again.
    @Test(arguments: [true, false]) func aSilentPeerIsGivenToNobody(saysHello: Bool) async throws {
        var pair = try NetworkPair()
        if saysHello {
            pair.listening.manifestTimeout = .milliseconds(300)
        } else {
            pair.listening.handshakeTimeout = .milliseconds(300)
        }
        try await pair.accepting { [pair] address, ends in
            try await RawPeer.connected(to: address, security: .encrypted(pair.connector.identity)) { peer in
                if saysHello { try await peer.greet(Self.hello(pair.connector.id)) }
                #expect(await peer.lastFailure() == nil)
            }
            #expect(ends.count == 0)
        }
    }

    @Test func whoWaitsMakesRoomForOthersAndALinkDoesNot() async throws {
        var pair = try NetworkPair()
        pair.listening.maximumConnectionsPerAddress = 1
        let admission = pair.admission
        let ends = AcceptedEnds()
        try await pair.accepting(admittedBy: admission) { connection, number in
            #expect(admission.linked(number))
            let end = ConnectionEnd(connection, skipsHello: true)
            ends.add(end)
            await end.run()
        } _: { [pair] address in
            let hello = Self.hello(pair.connector.id)
            let end = try await pair.connect(to: address)
            async let run: Void = end.run()
            try await end.opened()
            end.connection.send([.hello(hello), .link(.sample)], written: nil)
            let session = try await ends.next()
            try await session.opened()
            let security = RawPeer.Security.encrypted(pair.connector.identity)
            try await RawPeer.connected(to: address, security: security) { first in
                try await first.greet(hello)
                try await RawPeer.connected(to: address, security: security) { second in
                    try await second.greet(hello)
                    await first.waitForEnd()
                    #expect(first.isCutOff)
                }
            }
            end.connection.send(.numbered(1))
            #expect(await session.nextFrame() == .link(.sample))
            #expect(await session.nextFrame() == .numbered(1))
            end.connection.abort()
            await run
        }
    }
}
