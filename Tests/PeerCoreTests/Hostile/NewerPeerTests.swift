import Foundation
import NIOCore
import PeerCore
import Testing

/// Receivers that speak a newer version of the protocol.
@Suite(.timeLimit(.minutes(10))) struct NewerPeerTests {
    @Test func aFrameOfAnUnknownIgnorableTypeIsSkipped() async throws {
        let source = try TransferTests.source(sizes: [10])
        try await Pair(encryption: .none).serving(source) { address, _ in
            try await RawPeer.connected(to: address) { peer in
                await peer.send(Preface.hikeshare.bytes)
                await peer.sendFrame(type: 0x80, payload: [1, 2, 3])
                try await peer.send(.hello(RawPeer.hello()), .ping(Ping(nonce: 5)))
                #expect(try await peer.next(.pong) == .pong(Ping(nonce: 5)))
            }
        }
    }

    @Test func aNewerPeerIsToldToWaitForAnUpdateHere() async throws {
        let source = try TransferTests.source(sizes: [10])
        try await Pair(encryption: .none).serving(source) { address, finished in
            try await RawPeer.connected(to: address) { peer in
                await peer.send(Preface.hikeshare.bytes)
                try await peer.send(.hello(RawPeer.hello(versions: [ProtocolVersion(7)])))
                _ = await peer.lastFailure()
            }
            let error = peerError(await finished.next()?.result)
            #expect(error?.message.contains("Update hikeshare on this machine") == true)
        }
    }
}
