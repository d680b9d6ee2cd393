import Foundation
import NIOCore
import PeerTestSupport
import Testing

@testable import PeerCore

/// Networks that drop long packets and tell nobody.
@Suite(.timeLimit(.minutes(10))) struct SmallSegmentsTests {
    @Test(arguments: [
        // An ordinary network, one with a way of two seconds, and a peer that has little time.
        (1, 5000, 2000), (900, 5000, 2000), (1800, 7200, 3600), (1, 700, 350),
    ])
    func theSecondConnectionWaitsForASlowPeerAndKeepsToTheTime(opening: Int, limit: Int, patience: Int) {
        let time = SmallSegments.patience(afterOpening: .milliseconds(opening), within: .milliseconds(limit))
        #expect(time == .milliseconds(patience))
    }

    /// Passes the bytes of connections on to a listener, but only from the `number`-th on; notes the segments of each.
    private func with(
        relayTo address: SocketAddress,
        fromConnection number: Int,
        _ body: (SocketAddress, Locked<[Int32]>) async throws -> Void
    ) async throws {
        let port = try #require(address.port)
        let lengths = Locked<[Int32]>([])
        try await RawServer.with { connection in
            let count = lengths.withLock { lengths in
                lengths.append(connection.segmentLength)
                return lengths.count
            }
            guard count >= number, let upstream = try? RawConnection(toPort: port) else {
                connection.readToEnd()
                return
            }
            let back = Thread {
                while case let bytes = upstream.read(), !bytes.isEmpty { connection.write(bytes) }
                connection.end()
            }
            back.start()
            while case let bytes = connection.read(), !bytes.isEmpty { upstream.write(bytes) }
            upstream.end()
        } _: { server in
            try await body(SocketAddress(ipAddress: "127.0.0.1", port: server.port), lengths)
        }
    }

    @Test(arguments: [1, 2]) func smallSegmentsAreUsedWhereNothingComesOverAnOpenConnection(number: Int) async throws {
        let pair = try Pair()
        try await pair.serving(TransferTests.source(sizes: [100_000])) { [pair] address, finished in
            try await with(relayTo: address, fromConnection: number) { relay, lengths in
                let result = try await pair.receive(
                    from: relay,
                    expecting: pair.senderIdentity.id,
                    into: MemorySink()
                )
                #expect(result.bytesTransferred == 100_000)
                #expect(result.peer?.usesSmallSegments == (number == 2))
                #expect(lengths.value.count == number, "one more at most")
                let limit = SmallSegments.length
                #expect(lengths.value.map { $0 <= limit } == Array([false, true].prefix(number)))
            }
            #expect(await finished.next()?.peer?.id == pair.receiverIdentity.id, "only one was a visit")
        }
    }

    @Test func whereSmallSegmentsDoNotHelpTheConnectionIsSpeechless() async throws {
        var pair = try Pair()
        pair.receiving.securingTimeout = .milliseconds(700)
        try await RawServer.with {
            $0.readToEnd()
        } _: { [pair] server in
            let address = try SocketAddress(ipAddress: "127.0.0.1", port: server.port)
            let error = peerError(await outcome { try await pair.receive(from: address, into: MemorySink()) })
            #expect(error?.code == .timedOut)
            #expect((error?.cause as? UnansweredConnection)?.outcomes.map(\.outcome) == [.speechless])
        }
    }

    @Test func aProbeTellsWhetherOnlySmallSegmentsArrive() async throws {
        let pair = try Pair()
        try await pair.serving(TransferTests.source(sizes: [10])) { address, _ in
            let answer = try await AddressProbe.probe(at: address, application: .hikeshare)
            #expect(!answer.usesSmallSegments)
            try await with(relayTo: address, fromConnection: 2) { relay, _ in
                let answer = try await AddressProbe.probe(at: relay, application: .hikeshare)
                #expect(answer.usesSmallSegments)
            }
        }
    }
}
