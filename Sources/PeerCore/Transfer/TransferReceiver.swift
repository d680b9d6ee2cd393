public import FoundationEssentials
public import Logging
import NIOConcurrencyHelpers
public import NIOCore
import NIOPosix

/// A receiver: connects to a sender, sends an invitation, and receives the accepted resources.
public struct TransferReceiver: Sendable {
    /// The result of a transfer.
    public struct Result: Sendable {
        /// The sender.
        public var peer: RemotePeer?
        /// The receipt, which the sender has too.
        public var receipt: TransferReceipt
        /// The number of bytes of resources that were transferred.
        public var bytesTransferred: UInt64
        /// The number of bytes of resources that this machine already had.
        public var bytesSaved: UInt64
        /// The id of the offer, if it was picked from several; nil if not.
        package var offer: UUID?

        /// Creates a result.
        package init(
            peer: RemotePeer?,
            receipt: TransferReceipt,
            bytesTransferred: UInt64,
            bytesSaved: UInt64,
            offer: UUID? = nil
        ) {
            self.peer = peer
            self.receipt = receipt
            self.bytesTransferred = bytesTransferred
            self.bytesSaved = bytesSaved
            self.offer = offer
        }
    }

    private let local: LocalPeer
    private let configuration: ConnectionConfiguration
    private let trust: any TrustStore
    private let logger: Logger
    /// Picks from several offers; nil to refuse a sender that has more than one.
    package var picking: OfferPicking?
    /// Shared by all transfers of this receiver.
    private let pairingFailures: PairingFailures
    /// How many transfers are being received; shared likewise.
    private let receptionCount = NIOLockedValueBox(0)

    private typealias Report = @Sendable (RemotePeer?, TransferUpdate.Event) -> Void

    /// Creates a receiver.
    ///
    /// - Parameters:
    ///   - local: This machine.
    ///   - configuration: The limits and preferences.
    ///   - trust: The trusted peers. Peers that pair are added.
    ///   - logger: Logs details for diagnosis.
    public init(
        local: LocalPeer,
        configuration: ConnectionConfiguration = ConnectionConfiguration(),
        trust: any TrustStore = EmptyTrustStore(),
        logger: Logger = Logger(label: "PeerCore.receiver")
    ) {
        self.local = local
        self.configuration = configuration
        self.trust = trust
        self.logger = logger
        self.pairingFailures = PairingFailures(configuration)
    }

    /// Receives one transfer.
    ///
    /// With `EncryptionPreference.optional`, the receiver tries plain text only after the peer has reported that it does not
    /// encrypt.
    ///
    /// - Parameters:
    ///   - addresses: The addresses of the sender, in the order in which to try them.
    ///   - expected: The id of the only acceptable sender; nil for any. Requires encryption.
    ///   - link: The share link that names the only acceptable sender; nil for none. Requires encryption. Its token is
    ///     sent only to that sender, and inside TLS.
    ///   - connectingTime: The maximum time for connecting; nil for 10 seconds.
    ///   - lookAgain: Called twice per second until a connection is open; returns the current addresses of the sender. New
    ///     addresses are tried too, because a cable may just have been plugged in. Nil for no further addresses.
    ///   - sink: The storage of the resources.
    ///   - context: Data for the application on the other side; nil for none.
    ///   - control: Stops the transfer.
    ///   - updates: Receives the updates; nil for none.
    ///   - showsEstimate: Whether a person will see ``TransferOffer/estimate``. If not, digests are requested only after the
    ///     answer, which saves round trips.
    ///   - decide: Answers the offer. Nothing is written before it returns. It must return when its task is cancelled,
    ///     because the transfer cannot end earlier.
    /// - Returns: The result.
    /// - Throws: ``PeerError``, with ``PeerError/Code/busy`` if ``ConnectionConfiguration/maximumReceptions`` transfers
    ///   are running, or the error of `sink` or `decide`.
    public func receive(
        from addresses: [SocketAddress],
        expecting expected: PeerID? = nil,
        by link: ShareLink? = nil,
        connectingWithin connectingTime: Duration? = nil,
        lookingAgain lookAgain: (@Sendable () -> [SocketAddress])? = nil,
        into sink: any ResourceSink,
        context: Data? = nil,
        control: TransferControl = TransferControl(),
        updates: TransferUpdates.Continuation? = nil,
        showsEstimate: @escaping @Sendable (Manifest) -> Bool = { _ in true },
        decide: @escaping @Sendable (TransferOffer) async throws -> OfferAnswer
    ) async throws -> Result {
        try beginReception()
        defer { receptionCount.withLockedValue { $0 -= 1 } }
        let security =
            configuration.encryption == .none
            ? nil
            : try TransportSecurity(
                identity: local.identity,
                application: local.application
            )
        let expected = ExpectedPeer(id: expected, prefix: link?.sender)
        if expected != nil, security == nil {
            throw PeerError(
                .invalidArgument,
                "A peer can be identified only on an encrypted connection.",
                remedy: "Use encryption on this machine, too."
            )
        }
        let report: Report = { peer, event in
            updates?.yield(TransferUpdate(transfer: 1, peer: peer, event: event))
        }
        func attempt(
            _ addresses: [SocketAddress],
            _ security: TransportSecurity?,
            lookingAgain lookAgain: (@Sendable () -> [SocketAddress])? = nil
        ) async throws -> TransferOutcome {
            try await receive(
                from: addresses,
                security: security,
                expecting: expected,
                token: link?.token,
                connectingTime: connectingTime,
                lookAgain: lookAgain,
                into: sink,
                context: context,
                control: control,
                report: report,
                showsEstimate: showsEstimate,
                decide: decide
            )
        }
        do {
            do {
                return try Result(await attempt(addresses, security, lookingAgain: lookAgain))
            } catch let failure as ConnectFailure where allowsPlainText(expected) && !failure.plainTextAddresses.isEmpty
            {
                // With this preference, a sender without encryption is acceptable. A message inside TLS never leads to plain text.
                report(nil, .connection(.disconnected))
                return try Result(await attempt(failure.plainTextAddresses, nil))
            }
        } catch let failure as ConnectFailure {
            report(nil, .transfer(.failed(failure.error)))
            report(nil, .connection(.disconnected))
            throw failure.error
        }
    }

    /// Whether a peer without encryption is acceptable.
    ///
    /// Without encryption, nothing proves the identity of a peer.
    private func allowsPlainText(_ expected: ExpectedPeer?) -> Bool {
        configuration.encryption == .optional && expected == nil
    }

    private func receive(
        from addresses: [SocketAddress],
        security: TransportSecurity?,
        expecting expected: ExpectedPeer?,
        token: ShareToken?,
        connectingTime: Duration?,
        lookAgain: (@Sendable () -> [SocketAddress])?,
        into sink: any ResourceSink,
        context: Data?,
        control: TransferControl,
        report: @escaping Report,
        showsEstimate: @escaping @Sendable (Manifest) -> Bool,
        decide: @escaping @Sendable (TransferOffer) async throws -> OfferAnswer
    ) async throws -> TransferOutcome {
        report(nil, .connection(.connecting))
        let connection: FrameConnection
        do {
            connection = try await connect(
                to: addresses,
                security,
                expected,
                within: connectingTime,
                lookingAgain: lookAgain,
                control,
                report
            )
        } catch let error as PeerError {
            report(nil, .transfer(error.code == .cancelled ? .cancelled : .failed(error)))
            report(nil, .connection(.disconnected))
            throw error
        }
        let limit = configuration.limits.maximumInvitationTimeout
        let seconds = Int(clamping: configuration.invitationTimeout.components.seconds)
        let driver = ReceiveDriver(
            conversation: .ofTransfer(
                .dialer,
                on: connection,
                local: local,
                configuration: configuration,
                environment: ConversationEnvironment(offEventLoop: trust, pairingFailures: pairingFailures),
                hasToken: token != nil,
                logger: logger
            ),
            lifecycle: TransferLifecycle(configuration: configuration, connection: connection, logger: logger),
            context: ReceiveContext(
                sink: sink,
                invitation: InvitationRequest(timeout: max(1, min(limit, seconds)), context: context, token: token),
                pool: .singleton,
                openLane: { [application = local.application, configuration, logger] in
                    var connector = PeerConnector(
                        application: application,
                        configuration: configuration,
                        logger: logger
                    )
                    connector.usesSmallSegments = $2
                    return try await connector.connect(to: [$0], security: security, expecting: ExpectedPeer(id: $1))
                },
                picking: picking,
                showsEstimate: showsEstimate,
                decide: decide,
                report: report
            )
        )
        control.transferOpened()
        connection.channel.closeFuture.whenComplete { _ in control.transferClosed() }
        await driver.run(on: connection, tickInterval: configuration.tickInterval, cancellations: control)
        await driver.abandonUnlessCommitted()
        return await driver.outcome
    }

    private func beginReception() throws(PeerError) {
        let hasBegun = receptionCount.withLockedValue { count in
            guard count < configuration.maximumReceptions else { return false }
            count += 1
            return true
        }
        guard !hasBegun else { return }
        throw PeerError(
            .busy,
            "Another transfer is already being received.",
            remedy: "Wait until it is done, or stop it."
        )
    }

    /// Connects, until the control stops it.
    ///
    /// - Throws: ``ConnectFailure``; ``PeerError`` with ``PeerError/Code/cancelled``.
    private func connect(
        to addresses: [SocketAddress],
        _ security: TransportSecurity?,
        _ expected: ExpectedPeer?,
        within connectingTime: Duration?,
        lookingAgain lookAgain: (@Sendable () -> [SocketAddress])?,
        _ control: TransferControl,
        _ report: @escaping Report
    ) async throws -> FrameConnection {
        guard !control.isCancelled else { throw PeerError(.cancelled, "The transfer was stopped.") }
        let isSecuring = NIOLockedValueBox(false)
        var configuration = configuration
        if let connectingTime {
            configuration.connectingTimeout = min(configuration.connectingTimeout, connectingTime)
        }
        let connector = PeerConnector(
            application: local.application,
            configuration: configuration,
            greeting: local.hello(configuration, as: .dialer),
            logger: logger,
            accepted: {
                let isFirst = isSecuring.withLockedValue { isSecuring in
                    defer { isSecuring = true }
                    return !isSecuring
                }
                if security != nil, isFirst { report(nil, .connection(.securing)) }
            }
        )
        do {
            return try await control.untilCancelled {
                try await connector.connect(
                    to: addresses,
                    security: security,
                    expecting: expected,
                    lookingAgain: lookAgain
                )
            }
        } catch let error as CancellationError {
            throw PeerError(.cancelled, "The transfer was stopped.", cause: error)
        }
    }
}

extension TransferReceiver.Result {
    init(_ outcome: TransferOutcome) throws {
        self.init(
            peer: outcome.peer,
            receipt: try outcome.result.get(),
            bytesTransferred: outcome.bytesTransferred,
            bytesSaved: outcome.bytesSaved,
            offer: outcome.offer
        )
    }
}
