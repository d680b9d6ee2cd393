import Foundation
import NIOCore
import PeerCore
import Synchronization
import Testing

/// Receivers that stop reading, or read very slowly.
@Suite(.serialized, .timeLimit(.minutes(10))) struct StalledReceiverTests {
    @Test func aReceiverThatStopsReadingIsGivenUp() async throws {
        var pair = try SilentPeerTests.pair(\.silenceTimeout)
        // The peer is silent while the sender reads its list of digests.
        pair.sending.silenceTimeout = .seconds(10)
        let source = try TransferTests.source(sizes: [40_000_000])
        try await pair.serving(source) { address, finished in
            try await RawPeer.connected(to: address) { peer in
                try await peer.greet()
                try await peer.select(from: peer.invite())
                try await peer.channel.setOption(.autoRead, value: false).get()
                try await peer.send(.request(ChunkRequest(resource: 0, runs: [0..<2442])))
                #expect(peerError(await finished.next()?.result)?.code == .connectionLost)
            }
        }
    }

    @Test func aReceiverThatOnlyStaysAliveAndDoesNotReadIsGivenUp() async throws {
        let pair = try SilentPeerTests.pair(\.stallTimeout)
        let source = try TransferTests.source(sizes: [40_000_000])
        try await pair.serving(source) { address, finished in
            try await RawPeer.connected(to: address) { peer in
                try await peer.greet()
                try await peer.select(from: peer.invite())
                try await peer.channel.setOption(.autoRead, value: false).get()
                try await peer.send(.request(ChunkRequest(resource: 0, runs: [0..<2442])))
                async let result = finished.next()?.result
                try await peer.onlyStayAlive()
                #expect(peerError(await result)?.code == .timedOut)
            }
        }
    }

    @Test func aReceiverThatReadsLittleIsGivenUp() async throws {
        let pair = try SilentPeerTests.pair(\.stallTimeout)
        let source = try TransferTests.source(sizes: [40_000_000])
        try await pair.serving(source) { address, finished in
            try await RawPeer.connected(to: address) { peer in
                try await peer.greet()
                try await peer.select(from: peer.invite())
                try await peer.channel.setOption(.autoRead, value: false).get()
                try await peer.channel.setOption(
                    .recvAllocator,
                    value: FixedSizeRecvByteBufferAllocator(capacity: 16)
                ).get()
                try await peer.send(.request(ChunkRequest(resource: 0, runs: [0..<2442])))
                while peer.channel.isActive {
                    peer.channel.read()
                    try await peer.send(.ping(Ping(nonce: 0)))
                    try await Task.sleep(for: .milliseconds(20))
                }
                #expect(peerError(await finished.next()?.result)?.code == .timedOut)
            }
        }
    }

    @Test func cancellingWorksWhileTheReceiverDoesNotRead() async throws {
        let pair = try SilentPeerTests.pair(\.lingerTimeout)
        let control = TransferControl()
        let source = try TransferTests.source(sizes: [40_000_000])
        try await pair.serving(source, control: control) { address, finished in
            try await RawPeer.connected(to: address) { peer in
                try await peer.greet()
                try await peer.select(from: peer.invite())
                try await peer.channel.setOption(.autoRead, value: false).get()
                try await peer.send(.request(ChunkRequest(resource: 0, runs: [0..<2442])))
                control.cancel(reason: "enough")
                #expect(peerError(await finished.next()?.result)?.code == .cancelled)
            }
        }
    }
}
