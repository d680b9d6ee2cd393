import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import PeerTestSupport
import Testing

@testable import PeerCore

/// Who gets a connection, and when connections end.
@Suite(.timeLimit(.minutes(10))) struct NetworkTransportTests {
    @Test func bothSidesProveTheirIds() async throws {
        let pair = try NetworkPair()
        try await pair.accepting { address, ends in
            let connecting = try await pair.connect(to: address, expecting: ExpectedPeer(id: pair.listener.id))
            async let run: Void = connecting.run()
            let atConnector = try await connecting.opened()
            connecting.connection.send(.numbered(1))
            let accepted = try await ends.next()
            let atListener = try await accepted.opened()
            #expect(atListener.id == pair.connector.id)
            #expect(atConnector.id == pair.listener.id)
            #expect(try atListener.certificate == pair.connector.identity.certificate.toDERBytes())
            #expect(try atConnector.certificate == pair.listener.identity.certificate.toDERBytes())
            #expect(connecting.connection.remoteAddress == address.displayText)
            #expect(accepted.connection.addressKey == AddressKey(address))
            #expect(await accepted.nextFrame() == .numbered(1))
            #expect(accepted.connection.lastReceipt != nil)
            connecting.connection.abort()
            await run
            #expect(await connecting.next() == nil)
        }
    }

    @Test func anyOtherPeerThanTheExpectedIsRefused() async throws {
        let pair = try NetworkPair()
        try await pair.accepting { address, ends in
            let result = await outcome {
                try await pair.connect(to: address, expecting: ExpectedPeer(id: pair.connector.id))
            }
            #expect(peerError(result)?.code == .notTrusted)
            try await ends.expectRefused()
        }
    }

    @Test func aPeerInPlainTextIsToldThatItMustEncrypt() async throws {
        var pair = try NetworkPair()
        // Sessions never go without.
        pair.listening.encryption = .none
        pair.listening.lingerTimeout = .milliseconds(100)
        try await pair.accepting { connection, _ in
            await connection.run { event in
                guard case .encryptionMismatch(let failure) = event else { return }
                connection.send(.failure(failure))
                connection.finish()
            }
        } _: { address in
            try await RawPeer.connected(to: address) { peer in
                await peer.send(Preface.hikeshare.bytes)
                #expect(await peer.lastFailure() == Failure(encryptionMismatch: .plainText))
                await peer.waitForEnd()
                #expect(!peer.isCutOff)
            }
        }
    }

    @Test func aListenerInPlainTextIsRefused() async throws {
        var pair = try NetworkPair()
        pair.connecting.encryption = .none
        try await RawPeer.listening {
            await $0.send(Preface.hikeshare.bytes)
            await $0.waitForEnd()
        } connect: { [pair] address in
            let result = await outcome { try await pair.connect(to: address) }
            #expect(peerError(result)?.code == .encryptionMismatch)
        }
    }

    @Test func whoSpeaksAnythingElseIsReported() async throws {
        let pair = try NetworkPair()
        let events = Locked(0)
        try await pair.accepting { connection, _ in
            await connection.run { event in
                if case .invalid = event { events.withLock { $0 += 1 } } else { Issue.record("\(event)") }
                connection.abort()
            }
        } _: { [pair] address in
            try await RawPeer.connected(to: address) { peer in
                await peer.send(Array("GET / HTTP/1.1\r\n\r\n".utf8))
                await peer.waitForEnd()
            }
            try await RawPeer.connected(to: address, security: .encryptedWithoutProtocol(pair.connector.identity)) {
                await $0.waitForEnd()
            }
        }
        #expect(events.value == 2)
    }

    @Test func whoWaitsMakesRoomForOthersAndALinkDoesNot() async throws {
        var pair = try NetworkPair()
        pair.listening.maximumConnectionsPerAddress = 1
        let admission = pair.admission
        let ends = AcceptedEnds()
        try await pair.accepting(admittedBy: admission) { connection, number in
            if number == 1 { #expect(admission.linked(number)) }
            let end = ConnectionEnd(connection)
            ends.add(end)
            await end.run()
        } _: { [pair] address in
            let link = try await pair.connect(to: address)
            async let run: Void = link.run()
            try await link.opened()
            let linked = try await ends.next()
            try await linked.opened()
            let security = RawPeer.Security.encrypted(pair.connector.identity)
            try await RawPeer.connected(to: address, security: security) { first in
                try await ends.next().opened()
                try await RawPeer.connected(to: address, security: security) { _ in
                    try await ends.next().opened()
                    await first.waitForEnd()
                    #expect(first.isCutOff)
                }
            }
            link.connection.send(.numbered(1))
            #expect(await linked.nextFrame() == .numbered(1))
            link.connection.abort()
            await run
        }
    }

    @Test func anOpenConnectionMayBeSilent() async throws {
        var pair = try NetworkPair()
        // It ends while the connection is open; the wait below outlasts it.
        pair.listening.stallTimeout = .milliseconds(100)
        try await pair.connected { accepted, connecting in
            let (time, isOver) = AsyncStream.makeStream(of: Void.self)
            _ = SystemClock().schedule(at: .now + .seconds(1)) { isOver.finish() }
            for await _ in time {}
            connecting.connection.send(.numbered(1))
            #expect(await accepted.nextFrame() == .numbered(1))
        }
    }

    @Test func cancellingTheRunClosesTheConnection() async throws {
        let pair = try NetworkPair()
        try await pair.accepting { address, ends in
            let connecting = try await pair.connect(to: address)
            let run = Task { await connecting.run() }
            try await connecting.opened()
            let accepted = try await ends.next()
            try await accepted.opened()
            run.cancel()
            await run.value
            #expect(await accepted.next() == nil)
        }
    }

    /// Also a connection that is not secured yet, one whose events are not handled in time, and one that is not accepted yet.
    @Test func aListenerThatReturnsClosesWhatItHasAccepted() async throws {
        let pair = try NetworkPair()
        let (handled, handledIn) = AsyncStream.makeStream(of: Void.self)
        let runs = Locked<[Task<Void, any Error>]>([])
        try await pair.accepting { connection, _ in
            await connection.run { _ in
                handledIn.yield()
                while (try? await Task.sleep(for: .seconds(3600))) != nil {}
            }
        } _: { address in
            for _ in 0..<3 {
                let connecting = try await pair.connect(to: address)
                runs.withLock { $0.append(Task { await connecting.run() }) }
                try await connecting.opened()
            }
            var count = 0
            for await _ in handled {
                count += 1
                if count == 3 { break }
            }
            let (connected, connectedIn) = AsyncStream.makeStream(of: Void.self)
            let silent = Task {
                try await RawPeer.connected(to: address) { peer in
                    connectedIn.yield()
                    await peer.waitForEnd()
                }
            }
            for await _ in connected { break }
            runs.withLock { $0.append(silent) }
        }
        for run in runs.value { try await run.value }
    }

    @Test func aConnectionThatIsNotRunIsClosed() async throws {
        let pair = try NetworkPair()
        try await pair.accepting { _, _ in
        } _: { address in
            // It may be closed while it is still being opened.
            _ = await outcome { try await RawPeer.connected(to: address) { await $0.waitForEnd() } }
        }
    }

    @Test func aPortInUseIsAnError() async throws {
        let pair = try NetworkPair()
        try await pair.accepting { address, _ in
            let result = await outcome {
                try await NetworkPair.transport.withListener(
                    local: pair.connector,
                    port: address.port ?? 0,
                    configuration: pair.connecting,
                    incarnation: .random(),
                    admission: pair.admission,
                    accept: { _, _ in },
                    body: { _ in }
                )
            }
            #expect(peerError(result)?.code == .cannotListen)
        }
    }

    @Test func theErrorOfTheBodyIsThrown() async throws {
        let pair = try NetworkPair()
        await #expect(throws: ScriptError.self) {
            try await pair.accepting { _, _ in throw ScriptError("the body fails") }
        }
    }

    @Test func whereNobodyListensNothingConnects() async throws {
        let pair = try NetworkPair()
        let free = try SocketAddress(ipAddress: "127.0.0.1", port: RawServer.unusedPort())
        let result = await outcome { try await pair.connect(to: free) }
        #expect(peerError(result)?.code == .cannotConnect)
    }

    @Test func connectingCanBeCancelled() async throws {
        let pair = try NetworkPair()
        let nowhere = try Nowhere()
        defer { nowhere.close() }
        let connecting = Task { try await pair.connect(to: nowhere.address) }
        connecting.cancel()
        #expect(peerError(await connecting.result)?.code == .cancelled)
    }

    @Test func theSocketsAreThoseOfLinks() async throws {
        try await NetworkPair().connected { accepted, connecting in
            // An accepted connection may also carry a resource; now it is known that it carries a link.
            accepted.connection.awaitLongFrames()
            for end in [accepted, connecting] {
                let channel = try end.channel
                let allocator = try await channel.getOption(.recvAllocator).get()
                #expect((allocator as? AdaptiveRecvByteBufferAllocator)?.maximum == 64 * 1024)
                let options = try #require(channel as? any SocketOptionProvider)
                let unsent: CInt = try await options.unsafeGetSocketOption(
                    level: .tcp,
                    name: NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT)
                ).get()
                #expect(unsent == 64 * 1024)
            }
        }
    }
}
