import Logging
import NIOCore
import PeerTestSupport
import Testing

@testable import PeerCore

/// What transfers say in the log.
@Suite(.timeLimit(.minutes(10))) struct TransferLogTests {
    /// Serves with a log until one transfer has ended.
    private static func serving(
        _ pair: Pair,
        _ entries: Locked<[LogEntry]>,
        _ body: (SocketAddress) async throws -> Void
    ) async throws {
        try await PeerListener.with(local: pair.sender, host: "127.0.0.1", configuration: pair.sending) { listener in
            let address = try SocketAddress(ipAddress: "127.0.0.1", port: listener.port)
            let source = try TransferTests.source(sizes: [100_000])
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await TransferSender(
                        local: pair.sender,
                        source: source,
                        configuration: pair.sending,
                        shareToken: pair.shareToken,
                        logger: Logger.recording(in: entries)
                    ).serve(on: listener, decide: { _ in .acceptAndPin }, finished: { _ in false })
                }
                try await body(address)
                try await group.waitForAll()
            }
        }
    }

    @Test func bothSidesLogEachStateOnceAndNoSecret() async throws {
        let (sent, received) = (Locked<[LogEntry]>([]), Locked<[LogEntry]>([]))
        let pair = try Pair()
        let digits = Locked<PairingDigits?>(nil)
        try await Self.serving(pair, sent) { address in
            _ = try await TransferReceiver(
                local: pair.receiver,
                configuration: pair.receiving,
                logger: Logger.recording(in: received)
            ).receive(from: [address], into: MemorySink()) { offer in
                digits.set(offer.pairing)
                return .acceptAndPin(offer.kinds)
            }
        }
        func states(_ entries: Locked<[LogEntry]>) -> [String] {
            entries.value.filter { $0.message == "state changed" }.compactMap { $0.details["to"] }
        }
        #expect(states(sent) == ["idle", "offering", "transferring", "awaitingAcknowledgement", "ended"])
        #expect(
            states(received) == ["idle", "awaitingManifest", "deciding", "transferring", "committing", "ended"]
        )
        func phases(_ entries: Locked<[LogEntry]>) -> [String] {
            entries.value.filter { $0.message == "conversation changed" }.compactMap { $0.details["to"] }
        }
        let last = ["inviting", "transfer", "ended"]
        #expect(phases(sent) == ["greeting", "waiting", "identifying"] + last)
        #expect(phases(received) == ["greeting", "identifying", "ready"] + last)
        for (entries, peer) in [(sent, pair.receiverIdentity.id), (received, pair.senderIdentity.id)] {
            let ended = entries.value.first { $0.message == "transfer ended" }
            #expect(ended?.details["end"] == "completed")
            #expect(ended?.details["peer"] == peer.short)
            #expect(ended?.details["address"]?.hasPrefix("127.0.0.1:") == true)
            let frames = entries.value.filter { $0.message.hasPrefix("frame ") }
            #expect(
                frames.allSatisfy { $0.level == .trace && Set($0.details.keys).isSuperset(of: ["type", "length"]) }
            )
            for type in ["hello", "invite", "pairingReveal", "manifest", "data", "acknowledgement"] {
                #expect(frames.contains { $0.details["type"] == type }, "\(type)")
            }
            let shown = try #require(digits.value?.digits)
            #expect(!entries.value.contains { $0.text.contains(shown) })
        }
        // Both sides log the same frames with the same lengths.
        func lengths(_ entries: Locked<[LogEntry]>, _ direction: String) -> [String] {
            entries.value.filter {
                $0.message == "frame \(direction)" && !["ping", "pong"].contains($0.details["type"])
            }
            .map { "\($0.details["type"] ?? "") \($0.details["length"] ?? "")" }
        }
        #expect(lengths(sent, "sent") == lengths(received, "received"))
        #expect(lengths(sent, "received") == lengths(received, "sent"))
    }

    @Test func aSilentPeerIsLogged() async throws {
        let entries = Locked<[LogEntry]>([])
        var pair = try Pair(encryption: .none)
        pair.sending.keepAliveInterval = .milliseconds(100)
        pair.sending.silenceTimeout = .seconds(3)
        try await Self.serving(pair, entries) { address in
            try await RawPeer.connected(to: address) { peer in
                try await peer.greet()
                await peer.waitForEnd()
            }
        }
        let messages = entries.value.map(\.message)
        let late = try #require(messages.firstIndex(of: "nothing received for too long"))
        let lost = try #require(messages.firstIndex(of: "nothing received: connection lost"))
        #expect(late < lost)
        #expect(entries.value.last { $0.message == "transfer ended" }?.details["end"] == "connectionLost")
    }

    @Test func aTimerThatRunsOutIsLogged() async throws {
        let entries = Locked<[LogEntry]>([])
        var pair = try Pair(encryption: .none)
        pair.sending.manifestTimeout = .milliseconds(100)
        pair.sending.lingerTimeout = .milliseconds(100)
        try await Self.serving(pair, entries) { address in
            try await RawPeer.connected(to: address) { peer in
                try await peer.greet()
                await peer.waitForEnd()
            }
        }
        #expect(entries.value.contains { $0.message == "timer expired" && $0.details["timer"] == "waiting" })
        #expect(entries.value.contains { $0.details["end"] == "failed:timedOut" })
    }

    @Test func whatIsNotWantedIsNotLogged() async throws {
        let entries = Locked<[LogEntry]>([])
        let log = FrameLog()
        log.note(.sent, .hello, 10)
        var logger = Logger.recording(in: entries)
        logger.logLevel = .debug
        log.begin(logger)
        log.note(.received, .hello, 10)
        #expect(entries.value.isEmpty)
    }

    @Test func framesThatComeBeforeTheTransferBeginsAreLoggedThen() {
        let entries = Locked<[LogEntry]>([])
        let log = FrameLog()
        for length in 1...100 { log.note(.received, .hello, length) }
        log.begin(Logger.recording(in: entries))
        log.note(.sent, .ping, 28)
        #expect(entries.value.map { $0.details["length"] } == (1...16).map { "\($0)" } + ["28"])
    }
}
