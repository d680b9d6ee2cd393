import Foundation
import Logging
import NIOCore
import PeerCore
import PeerTestSupport

/// A sender and a receiver in this process, joined over loopback.
struct Pair {
    var sending = ConnectionConfiguration()
    var receiving = ConnectionConfiguration()
    var senderIdentity: PeerIdentity
    var receiverIdentity: PeerIdentity
    /// Whom the sender knows.
    var senderTrust: any TrustStore = EmptyTrustStore()
    /// Whom the receiver knows.
    var receiverTrust: any TrustStore = EmptyTrustStore()
    /// What the receiver's program is.
    var receivingApplication = PeerServiceType.hikeshare
    /// The secret of the sender's link.
    var shareToken: ShareToken?
    /// Whether the receiver's person sees how much would be transferred.
    var showsEstimate = true
    /// Where the sender logs.
    var senderLogger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// What came of both sides.
    struct Outcome: Sendable {
        var received: Result<TransferReceiver.Result, any Error>
        var sent: TransferSender.Finished?
    }

    init(encryption: EncryptionPreference = .required) throws {
        self.senderIdentity = try PeerIdentity.generate(for: .hikeshare)
        self.receiverIdentity = try PeerIdentity.generate(for: .hikeshare)
        sending.encryption = encryption
        receiving.encryption = encryption
        // Hundreds of tests share the processors. Those that are about a deadline set it themselves.
        for configuration in [\Self.sending, \Self.receiving] {
            self[keyPath: configuration].guesses.pairingBurst = 1000
            self[keyPath: configuration].allowPatience()
        }
    }

    var sender: LocalPeer {
        LocalPeer(application: .hikeshare, identity: senderIdentity, displayName: "Sender", software: "test 1")
    }
    var receiver: LocalPeer {
        LocalPeer(
            application: receivingApplication,
            identity: receiverIdentity,
            displayName: "Receiver",
            software: "test 2"
        )
    }

    /// Runs one transfer and returns what both sides say of it.
    ///
    /// What the last of the sender's transfers says counts.
    func transfer(
        _ source: any ResourceSource,
        into sink: any ResourceSink,
        host: String = "127.0.0.1",
        expecting expected: PeerID? = nil,
        token: ShareToken? = nil,
        context: Data? = nil,
        transfers: Int = 1,
        senderControl: TransferControl = TransferControl(),
        receiverControl: TransferControl = TransferControl(),
        updates: TransferUpdates.Continuation? = nil,
        senderUpdates: TransferUpdates.Continuation? = nil,
        decide: @escaping @Sendable (TransferOffer) async throws -> OfferAnswer = { .accept($0.kinds) },
        invite: @escaping @Sendable (Invitation) async -> InvitationAnswer = { _ in .accept },
        offering: (@Sendable (Invitation) async throws -> any ResourceSource)? = nil
    ) async throws -> Outcome {
        try await serving(
            source,
            host: host,
            control: senderControl,
            updates: senderUpdates,
            invite: invite,
            offering: offering,
            {
                address,
                finished in
                let received: Result<TransferReceiver.Result, any Error>
                do {
                    received = .success(
                        try await TransferReceiver(local: receiver, configuration: receiving, trust: receiverTrust)
                            .receive(
                                from: [address],
                                expecting: expected,
                                by: link(token, expected),
                                into: sink,
                                context: context,
                                control: receiverControl,
                                updates: updates,
                                showsEstimate: { [showsEstimate] _ in showsEstimate },
                                decide: decide
                            )
                    )
                } catch {
                    received = .failure(error)
                }
                var sent: TransferSender.Finished?
                for _ in 0..<transfers { sent = await finished.next() }
                return Outcome(received: received, sent: sent)
            }
        )
    }

    /// Serves a source for as long as `body` runs.
    func serving<Result: Sendable>(
        _ source: any ResourceSource,
        host: String = "127.0.0.1",
        control: TransferControl = TransferControl(),
        updates: TransferUpdates.Continuation? = nil,
        invite: @escaping @Sendable (Invitation) async -> InvitationAnswer = { _ in .accept },
        offering: (@Sendable (Invitation) async throws -> any ResourceSource)? = nil,
        _ body: (SocketAddress, FinishedTransfers) async throws -> Result
    ) async throws -> Result {
        try await PeerListener.with(local: sender, host: host, configuration: sending) { listener in
            let address = try SocketAddress(ipAddress: host, port: listener.port)
            let finished = FinishedTransfers()
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await TransferSender(
                        local: sender,
                        source: source,
                        configuration: sending,
                        trust: senderTrust,
                        shareToken: shareToken,
                        logger: senderLogger
                    ).serve(
                        on: listener,
                        control: control,
                        updates: updates,
                        offering: offering,
                        decide: invite
                    ) { outcome in
                        finished.add(outcome)
                        return true
                    }
                }
                let result = try await body(address, finished)
                control.cancel(reason: "The test is over.")
                try await group.waitForAll()
                return result
            }
        }
    }

    /// A link with a token that names a peer; nil without a token.
    private func link(_ token: ShareToken?, _ id: PeerID?) throws -> ShareLink? {
        guard let token, let id else { return nil }
        return try ShareLink(
            for: .hikeshare,
            addresses: [PeerAddress(host: "127.0.0.1", port: 1)],
            id: id,
            token: token
        )
    }

    /// Receives everything that is offered at an address.
    func receive(
        from address: SocketAddress,
        expecting expected: PeerID? = nil,
        token: ShareToken? = nil,
        into sink: any ResourceSink,
        control: TransferControl = TransferControl(),
        updates: TransferUpdates.Continuation? = nil,
        decide: @escaping @Sendable (TransferOffer) async throws -> OfferAnswer = { .accept($0.kinds) }
    ) async throws -> TransferReceiver.Result {
        try await TransferReceiver(local: receiver, configuration: receiving, trust: receiverTrust).receive(
            from: [address],
            expecting: expected,
            by: link(token, expected),
            into: sink,
            control: control,
            updates: updates,
            decide: decide
        )
    }
}

extension ConnectionConfiguration {
    /// Lets each step take as long as only a hang does.
    mutating func allowPatience() {
        let timers: [WritableKeyPath<Self, Duration>] = [
            \.connectTimeout, \.connectingTimeout, \.securingTimeout, \.handshakeTimeout, \.invitationTimeout,
            \.manifestTimeout, \.offerTimeout, \.unattendedOfferTimeout, \.pairingTimeout, \.stallTimeout,
            \.silenceTimeout,
        ]
        for timer in timers { self[keyPath: timer] = .patience }
        // Many tests leave a side that waits for it in vain.
        lingerTimeout = .seconds(20)
    }
}

extension TransferOffer {
    /// The kinds of all resources that are offered.
    var kinds: Set<ResourceKind> { Set(manifest.entries.map(\.kind)) }
}

/// The transfers of a sender that have ended, in that order.
final class FinishedTransfers: Sendable {
    private let stream: AsyncStream<TransferSender.Finished>
    private let continuation: AsyncStream<TransferSender.Finished>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func add(_ outcome: TransferSender.Finished) {
        continuation.yield(outcome)
    }

    /// All transfers that have ended and were not waited for, when the sender has ended too.
    func rest() async -> [TransferSender.Finished] {
        continuation.finish()
        return await stream.reduce(into: []) { $0.append($1) }
    }

    /// Waits for the next transfer to end.
    func next() async -> TransferSender.Finished? {
        for await outcome in stream { return outcome }
        return nil
    }
}
