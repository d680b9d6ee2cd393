package import FoundationEssentials
public import Logging
import NIOCore
import NIOPosix

/// A sender: serves one source to every accepted peer, also to several at the same time.
///
/// ```swift
/// try await TransferSender(local: local, source: source).serve(
///     on: listener,
///     decide: { invitation in
///         invitation.peer.trust == .unknown ? .decline(Refusal(.notTrusted, "Unknown peer.")) : .accept
///     },
///     finished: { transfer in
///         if case .success = transfer.result { false } else { true }
///     }
/// )
/// ```
public struct TransferSender: Sendable {
    /// The result of one transfer.
    public struct Finished: Sendable {
        /// The number of the transfer: 1 for the first.
        public var transfer: Int
        /// The receiver; nil if it did not invite.
        public var peer: RemotePeer?
        /// The receiver's receipt, or the error that ended the transfer.
        public var result: Result<TransferReceipt, any Error>
        /// The number of bytes of resources that were transferred.
        public var bytesTransferred: UInt64
        /// The number of bytes of resources that the receiver already had; 0 if the transfer did not complete.
        public var bytesSaved: UInt64
        /// The offered kinds that the receiver does not support.
        ///
        /// The transfer continues without them.
        public var unknownKinds: [ResourceKind]
        /// The id of the offer, if the receiver has picked it from several; nil if not.
        package var offer: UUID?
    }

    private let local: LocalPeer
    private let source: any ResourceSource
    private let configuration: ConnectionConfiguration
    private let trust: any TrustStore
    private let shareToken: ShareToken?
    private let logger: Logger
    /// The turns of the receivers; others that share the networks of this machine may take part.
    package var turns = SendingTurns()
    /// The offers from which each receiver picks; nil if ``source`` is the only one.
    package var choice: OfferChoice?

    /// Creates a sender.
    ///
    /// - Parameters:
    ///   - local: This machine.
    ///   - source: The content.
    ///   - configuration: The limits and preferences.
    ///   - trust: The trusted peers. Peers that pair are added.
    ///   - shareToken: The secret of this sender's share link, which admits a peer without pairing; nil for no share link.
    ///   - logger: Logs details for diagnosis.
    public init(
        local: LocalPeer,
        source: any ResourceSource,
        configuration: ConnectionConfiguration = ConnectionConfiguration(),
        trust: any TrustStore = EmptyTrustStore(),
        shareToken: ShareToken? = nil,
        logger: Logger = Logger(label: "PeerCore.sender")
    ) {
        self.local = local
        self.source = source
        self.configuration = configuration
        self.trust = trust
        self.shareToken = shareToken
        self.logger = logger
    }

    /// Serves peers until `finished` returns false, the control stops the sender, or the task is cancelled.
    ///
    /// A transfer that fails does not affect the others.
    ///
    /// - Parameters:
    ///   - listener: The listener to which peers connect.
    ///   - control: Stops the sender or one of its transfers.
    ///   - updates: Receives the updates of all transfers; nil for none.
    ///   - offering: Makes the source for a receiver that is accepted and has sent a context with its invitation. The receiver
    ///     waits up to ten minutes. An error ends the transfer, and both sides are told. Nil if all receivers get the same.
    ///   - decide: Answers each invitation.
    ///   - finished: Called when a transfer has ended; returns whether the sender continues. Transfers that ended
    ///     before an invitation are reported only a few times per minute. A transfer that was refused because it began
    ///     with encryption is reported after a delay, and not at all if a receiver connects in plain text meanwhile.
    /// - Throws: ``PeerError`` with ``PeerError/Code/cannotListen`` if the listener fails.
    public func serve(
        on listener: PeerListener,
        control: TransferControl = TransferControl(),
        updates: TransferUpdates.Continuation? = nil,
        offering: (@Sendable (Invitation) async throws -> any ResourceSource)? = nil,
        decide: @escaping @Sendable (Invitation) async -> InvitationAnswer,
        finished: @escaping @Sendable (Finished) async -> Bool
    ) async throws {
        let admission = Admission(configuration, shareToken: shareToken, logger: logger)
        // The caller's control stays unchanged, so that it shows whether the caller has cancelled.
        let stop = TransferControl()
        let passOn: @Sendable (Cancellation) -> Void = { stop.cancel(reason: $0.reason) }
        let stopListening: @Sendable (Cancellation) -> Void = { _ in listener.stop() }
        try await control.onCancel(passOn) {
            try await stop.onCancel(stopListening) {
                try await listener.forEachConnection(admittedBy: admission) { connection, number in
                    control.transferOpened()
                    defer { control.transferClosed() }
                    let (outcome, isReported) = await serve(
                        connection,
                        number,
                        admission,
                        control,
                        stop,
                        updates,
                        offering,
                        decide
                    )
                    if isReported, await !finished(outcome) { stop.cancel(reason: "The sender has stopped.") }
                }
            }
        }
    }

    private func serve(
        _ connection: FrameConnection,
        _ number: Int,
        _ admission: Admission,
        _ control: TransferControl,
        _ stop: TransferControl,
        _ updates: TransferUpdates.Continuation?,
        _ offering: (@Sendable (Invitation) async throws -> any ResourceSource)?,
        _ decide: @escaping @Sendable (Invitation) async -> InvitationAnswer
    ) async -> (Finished, isReported: Bool) {
        let report: @Sendable (RemotePeer?, TransferUpdate.Event) -> Void = { peer, event in
            updates?.yield(TransferUpdate(transfer: number, peer: peer, event: event))
        }
        var connectionLogger = logger
        connectionLogger[metadataKey: "connection"] = "\(number)"
        let slot = ConversationEnvironment.Slot(admission, number)
        let driver = SendDriver(
            conversation: .ofTransfer(
                .listener,
                on: connection,
                local: local,
                configuration: configuration,
                environment: ConversationEnvironment(offEventLoop: trust, slot: slot),
                logger: connectionLogger
            ),
            lifecycle: TransferLifecycle(
                configuration: configuration,
                connection: connection,
                logger: connectionLogger
            ),
            context: SendContext(
                source: source,
                slot: slot,
                pool: .singleton,
                decide: decide,
                report: report,
                turns: turns,
                offering: offering,
                choice: choice
            )
        )
        // Stopped alone, or with all others.
        let own = TransferControl()
        let passOn: @Sendable (Cancellation) -> Void = { own.cancel(reason: $0.reason) }
        await control.onCancel(of: number, passOn) {
            await stop.onCancel(passOn) {
                await driver.run(on: connection, tickInterval: configuration.tickInterval, cancellations: own)
            }
        }
        let outcome = await driver.outcome
        // The slot is free at once. Only the report waits for a receiver that comes back.
        var isReported = admission.ended(number, await driver.visit, at: .now)
        if isReported {
            let time = configuration.plainTextRetryTime
            isReported = await !admission.retries.follows(number, within: time, unless: stop)
        }
        admission.retries.forget(number)
        return (Finished(outcome, transfer: number), isReported)
    }
}

extension TransferSender.Finished {
    init(_ outcome: TransferOutcome, transfer: Int) {
        self.init(
            transfer: transfer,
            peer: outcome.peer,
            result: outcome.result,
            bytesTransferred: outcome.bytesTransferred,
            bytesSaved: (try? outcome.result.get()) == nil ? 0 : outcome.bytesSaved,
            unknownKinds: outcome.unknownKinds,
            offer: outcome.offer
        )
    }
}

/// A trust store that is always empty: every peer is unknown.
public struct EmptyTrustStore: TrustStore {
    /// Creates a store.
    public init() {}

    /// Returns `PeerTrust.unknown`.
    public func trust(of id: PeerID, callingItself name: String) async -> PeerTrust { .unknown }

    /// Does nothing.
    public func pin(_ id: PeerID, name: String) async {}
}
