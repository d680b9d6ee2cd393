public import Logging
import NIOCore
import NIOPosix

/// The sender of transfers: serves one source to every peer that is let in, one after the other and several at once.
public struct TransferSender: Sendable {
    /// What came of one session.
    public struct Finished: Sendable {
        /// Tells the sessions apart: 1 for the first.
        public var session: Int
        /// The receiver; nil if it never said hello.
        public var peer: RemotePeer?
        /// What the receiver took over, or why it did not.
        public var result: Result<TransferReceipt, any Error>
        /// How many bytes of resources were transferred.
        public var bytesTransferred: UInt64
        /// The bytes of resources that did not need to cross, because the receiver had them; 0 if it did not complete.
        public var bytesSaved: UInt64
        /// The kinds that were offered and that the receiver's version does not understand; it goes on without them.
        public var unknownKinds: [ResourceKind]
    }

    private let local: LocalPeer
    private let source: any ResourceSource
    private let configuration: SessionConfiguration
    private let trust: any TrustStore
    private let linkToken: LinkToken?
    private let logger: Logger

    /// Creates a sender.
    ///
    /// - Parameters:
    ///   - local: This machine.
    ///   - source: What is sent.
    ///   - configuration: Bounds and preferences.
    ///   - trust: Who is known; peers that pair are pinned there.
    ///   - linkToken: The secret of this sender's link: whoever presents it is let in without digits. Good for this sender
    ///     alone; nil for no link.
    ///   - logger: Told of what no person needs to see.
    public init(
        local: LocalPeer,
        source: any ResourceSource,
        configuration: SessionConfiguration = SessionConfiguration(),
        trust: any TrustStore = EmptyTrustStore(),
        linkToken: LinkToken? = nil,
        logger: Logger = Logger(label: "PeerCore.sender")
    ) {
        self.local = local
        self.source = source
        self.configuration = configuration
        self.trust = trust
        self.linkToken = linkToken
        self.logger = logger
    }

    /// Serves peers until `finished` says that it is enough, the control stops it, or the task is cancelled.
    ///
    /// A session that fails ends alone; it never stops the others.
    ///
    /// - Parameters:
    ///   - listener: Where peers connect.
    ///   - control: A person's way to stop it, or one of its sessions.
    ///   - updates: Told of every step of every session.
    ///   - decide: Decides on each invitation.
    ///   - finished: Told of every session that has ended, but of those about which nobody was asked only of some a minute;
    ///     false stops the serving. A session that was refused because it began with encryption is reported a little later,
    ///     and not at all if a receiver comes in plain text meanwhile.
    /// - Throws: If the listener fails.
    public func serve(
        on listener: PeerListener,
        control: TransferControl = TransferControl(),
        updates: TransferUpdates.Continuation? = nil,
        decide: @escaping @Sendable (Invitation) async -> InvitationAnswer,
        finished: @escaping @Sendable (Finished) async -> Bool
    ) async throws {
        let admission = Admission(configuration, linkToken: linkToken, logger: logger)
        // The caller's control stays as it is, so that it tells whether somebody used it.
        let stop = TransferControl()
        let passOn: @Sendable (Cancellation) -> Void = { stop.cancel(reason: $0.reason) }
        let stopListening: @Sendable (Cancellation) -> Void = { _ in listener.stop() }
        try await control.onCancel(passOn) {
            try await stop.onCancel(stopListening) {
                try await serve(on: listener, admission, control, stop, updates, decide, finished)
            }
        }
    }

    private func serve(
        on listener: PeerListener,
        _ admission: Admission,
        _ control: TransferControl,
        _ stop: TransferControl,
        _ updates: TransferUpdates.Continuation?,
        _ decide: @escaping @Sendable (Invitation) async -> InvitationAnswer,
        _ finished: @escaping @Sendable (Finished) async -> Bool
    ) async throws {
        try await withThrowingDiscardingTaskGroup { sessions in
            do {
                var session = 0
                for try await connection in listener.connections {
                    session += 1
                    let isAdmitted = admission.connected(session, from: connection.addressKey) {
                        connection.abort()
                    }
                    guard isAdmitted else {
                        connection.abort()
                        continue
                    }
                    control.sessionOpened()
                    sessions.addTask { [session] in
                        defer { control.sessionClosed() }
                        let (outcome, isReported) = await serve(
                            connection,
                            session,
                            admission,
                            control,
                            stop,
                            updates,
                            decide
                        )
                        if isReported, await !finished(outcome) { stop.cancel(reason: "The sender has stopped.") }
                    }
                }
            } catch is CancellationError {
                return
            } catch {
                sessions.cancelAll()
                throw PeerError(.cannotListen, "The listening socket has failed.", cause: error)
            }
        }
    }

    private func serve(
        _ connection: FrameConnection,
        _ session: Int,
        _ admission: Admission,
        _ control: TransferControl,
        _ stop: TransferControl,
        _ updates: TransferUpdates.Continuation?,
        _ decide: @escaping @Sendable (Invitation) async -> InvitationAnswer
    ) async -> (Finished, isReported: Bool) {
        let report: @Sendable (RemotePeer?, TransferUpdate.Event) -> Void = { peer, event in
            updates?.yield(TransferUpdate(session: session, peer: peer, event: event))
        }
        var sessionLogger = logger
        sessionLogger[metadataKey: "session"] = "\(session)"
        let driver = SendDriver(
            lifecycle: SessionLifecycle(
                role: .sender,
                local: local,
                configuration: configuration,
                connection: connection,
                logger: sessionLogger
            ),
            source: source,
            trust: trust,
            admission: admission,
            session: session,
            pool: .singleton,
            decide: decide,
            report: report
        )
        // Stopped alone, or with all others.
        let own = TransferControl()
        let passOn: @Sendable (Cancellation) -> Void = { own.cancel(reason: $0.reason) }
        await control.onCancel(of: session, passOn) {
            await stop.onCancel(passOn) {
                await driver.run(on: connection, tickInterval: configuration.tickInterval, cancellations: own)
            }
        }
        let outcome = await driver.outcome
        var isReported = admission.ended(session, await driver.visit, at: .now)
        if isReported {
            let time = configuration.plainTextRetryTime
            isReported = await !admission.retries.follows(session, within: time, unless: stop)
        }
        admission.retries.forget(session)
        let finished = Finished(
            session: session,
            peer: outcome.peer,
            result: outcome.result,
            bytesTransferred: outcome.bytesTransferred,
            bytesSaved: (try? outcome.result.get()) == nil ? 0 : outcome.bytesSaved,
            unknownKinds: outcome.unknownKinds
        )
        return (finished, isReported)
    }
}
