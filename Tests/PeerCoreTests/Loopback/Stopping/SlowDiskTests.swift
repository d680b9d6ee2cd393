import Dispatch
import Foundation
import PeerCore
import PeerTestSupport
import Testing

/// A disk that is slower than any timer: a side that is at work itself does not hold the wait against its peer.
///
/// One after the other: each holds a thread of the pool that does the work of all transfers, and the pool has few.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SlowDiskTests {
    /// Something that holds up work until it is opened.
    private final class Gate: Sendable {
        private let opened = DispatchSemaphore(value: 0)

        func pass() {
            opened.wait()
            opened.signal()
        }

        func open() { opened.signal() }
    }

    enum Step: CaseIterable {
        case look
        case write
        case commit
    }

    private static let timer: Duration = .seconds(10)
    private static let interval: Duration = .milliseconds(100)
    /// So many signs of life take longer than the timer.
    private static let signs = 115

    /// A pair whose timers are shorter than the work.
    private static func pair() throws -> Pair {
        var pair = try Pair(encryption: .none)
        for side: WritableKeyPath<Pair, ConnectionConfiguration> in [\.sending, \.receiving] {
            pair[keyPath: side].keepAliveInterval = interval
            pair[keyPath: side].silenceTimeout = timer
            pair[keyPath: side].stallTimeout = timer
            pair[keyPath: side].workTimeout = timer
        }
        return pair
    }

    @Test(arguments: Step.allCases) func aReceiverThatIsAtWorkDoesNotGiveUpTheSender(step: Step) async throws {
        let pair = try Self.pair()
        let (gate, sink) = (Gate(), MemorySink())
        // Whatever happens, no thread waits for ever.
        defer { gate.open() }
        sink.state.withLock { state in
            switch step {
            case .look: state.beforeLook = { gate.pass() }
            case .write: state.beforeWrite = { _ in gate.pass() }
            case .commit: state.beforeCommit = { gate.pass() }
            }
        }
        let source = try TransferTests.source(sizes: [1000])
        try await RawPeer.listening { peer in
            try await peer.greet()
            try await peer.offer(source.manifest)
            try await peer.list(source)
            // From here on the peer says nothing while it waits.
            if step == .look { try await Self.outlast(peer, gate) }
            guard try await peer.next(.request) != nil else { throw ScriptError("no request") }
            await peer.sendData(0, offset: 0, source.bytes(.mbtiles) ?? [])
            if step == .write { try await Self.outlast(peer, gate) }
            guard try await peer.next(.confirmation) != nil else { throw ScriptError("no confirmation") }
            try await peer.send(.done(Completion(id: source.manifest.id)))
            if step == .commit { try await Self.outlast(peer, gate) }
            guard try await peer.next(.acknowledgement) != nil else { throw ScriptError("no acknowledgement") }
        } connect: { address in
            let result = try await pair.receive(from: address, into: sink)
            #expect(result.receipt.imported == ["mbtiles": 1000])
        }
    }

    /// A store of trusted peers that is slow.
    private struct SlowTrustStore: TrustStore {
        let gate: Gate

        func trust(of id: PeerID, callingItself name: String) async throws -> PeerTrust {
            // Not on a thread of the pool that all tests share.
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    gate.pass()
                    continuation.resume()
                }
            }
            return .unknown
        }

        func pin(_ id: PeerID, name: String) async throws {}
    }

    @Test func aSenderThatIsAtWorkDoesNotGiveUpTheReceiver() async throws {
        var pair = try Self.pair()
        let gate = Gate()
        defer { gate.open() }
        pair.senderTrust = SlowTrustStore(gate: gate)
        let source = try TransferTests.source(sizes: [1000])
        try await pair.serving(source) { address, _ in
            try await RawPeer.connected(to: address) { peer in
                try await peer.greet()
                try await peer.send(.invite(InvitationRequest(timeout: 300)))
                try await Self.outlast(peer, gate)
                guard case .manifest(let body) = try await peer.next(.manifest) else {
                    throw ScriptError("no manifest")
                }
                #expect(try Manifest(parsing: body) == source.manifest)
            }
        }
    }

    /// Lets the other side work for longer than its timers.
    private static func outlast(_ peer: RawPeer, _ gate: Gate) async throws {
        #expect(try await peer.waitForSignsOfLife(signs), "the other side ended the transfer")
        gate.open()
    }
}
