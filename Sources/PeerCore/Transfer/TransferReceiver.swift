public import FoundationEssentials
public import Logging
import NIOConcurrencyHelpers
public import NIOCore
import NIOPosix

/// The receiver of a transfer: connects, asks, takes what is wanted.
public struct TransferReceiver: Sendable {
    /// What came of a transfer.
    public struct Result: Sendable {
        /// Who sent it.
        public var peer: RemotePeer?
        /// What was taken over.
        public var receipt: TransferReceipt
        /// How many bytes of resources were transferred; fewer than their size if some were there already.
        public var bytesTransferred: UInt64
        /// The bytes of resources that did not need to cross, because they were here.
        public var bytesSaved: UInt64
    }

    private let local: LocalPeer
    private let configuration: SessionConfiguration
    private let trust: any TrustStore
    private let logger: Logger
    /// Shared by all transfers of this receiver.
    private let pairingLock: NIOLockedValueBox<AddressLockout>
    /// How many transfers are being received; shared likewise.
    private let receptionCount = NIOLockedValueBox(0)

    private typealias Report = @Sendable (RemotePeer?, TransferUpdate.Event) -> Void

    /// Creates a receiver.
    public init(
        local: LocalPeer,
        configuration: SessionConfiguration = SessionConfiguration(),
        trust: any TrustStore = EmptyTrustStore(),
        logger: Logger = Logger(label: "PeerCore.receiver")
    ) {
        self.local = local
        self.configuration = configuration
        self.trust = trust
        self.logger = logger
        self.pairingLock = NIOLockedValueBox(configuration.makePairingLock())
    }

    /// Receives one transfer.
    ///
    /// With `EncryptionPreference.optional`, plain text is tried only after the peer has said that it does not
    /// encrypt.
    ///
    /// - Parameters:
    ///   - addresses: Where the sender may be, in the order in which they are tried.
    ///   - expected: The only peer that is accepted; nil for any. Needs encryption.
    ///   - token: The secret of the link that names `expected`; shown to that peer alone, and inside TLS.
    ///   - connectingTime: How long connecting may take at most; nil for what the configuration says.
    ///   - lookAgain: Called twice a second until there is a connection: the addresses where the sender may be by now, such
    ///     as ``PeerLink/addressesOnEveryNetwork()``. New ones are tried, too: a cable may just have been plugged in.
    ///   - sink: Where the resources go.
    ///   - context: Anything that the application at the other side understands.
    ///   - control: A person's way to stop it.
    ///   - updates: Told of every step.
    ///   - decide: Decides on the offer; before it returns, nothing is written. It must return when its task is
    ///     cancelled: the session does not end before.
    /// - Returns: What came of it; the sender knows, too.
    /// - Throws: ``PeerError``, with ``PeerError/Code/busy`` if ``SessionConfiguration/maximumReceptions`` are under way, or
    ///   what `sink` or `decide` throws.
    public func receive(
        from addresses: [SocketAddress],
        expecting expected: PeerID? = nil,
        token: LinkToken? = nil,
        connectingWithin connectingTime: Duration? = nil,
        lookingAgain lookAgain: (@Sendable () -> [SocketAddress])? = nil,
        into sink: any ResourceSink,
        context: Data? = nil,
        control: TransferControl = TransferControl(),
        updates: TransferUpdates.Continuation? = nil,
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
        if expected != nil, security == nil {
            throw PeerError(
                .invalidArgument,
                "A peer can be identified only on an encrypted connection.",
                remedy: "Use encryption on this machine, too."
            )
        }
        if token != nil, expected == nil {
            throw PeerError(.invalidArgument, "A link's token may be sent only to the peer that the link names.")
        }
        let report: Report = { peer, event in
            updates?.yield(TransferUpdate(session: 1, peer: peer, event: event))
        }
        func attempt(
            _ addresses: [SocketAddress],
            _ security: TransportSecurity?,
            lookingAgain lookAgain: (@Sendable () -> [SocketAddress])? = nil
        ) async throws -> SessionOutcome {
            try await receive(
                from: addresses,
                security: security,
                expecting: expected,
                token: token,
                connectingTime: connectingTime,
                lookAgain: lookAgain,
                into: sink,
                context: context,
                control: control,
                report: report,
                decide: decide
            )
        }
        do {
            do {
                return try Result(await attempt(addresses, security, lookingAgain: lookAgain))
            } catch let failure as ConnectFailure where allowsPlainText(expected) && !failure.plainTextAddresses.isEmpty
            {
                // That there is no encryption is no failure here. What a peer says inside TLS never leads out of it.
                report(nil, .connection(.disconnected))
                return try Result(await attempt(failure.plainTextAddresses, nil))
            }
        } catch let failure as ConnectFailure {
            report(nil, .transfer(.failed(failure.error)))
            report(nil, .connection(.disconnected))
            throw failure.error
        }
    }

    /// Whether a peer that does not encrypt is good enough; nothing else proves who it is.
    private func allowsPlainText(_ expected: PeerID?) -> Bool {
        configuration.encryption == .optional && expected == nil
    }

    private func receive(
        from addresses: [SocketAddress],
        security: TransportSecurity?,
        expecting expected: PeerID?,
        token: LinkToken?,
        connectingTime: Duration?,
        lookAgain: (@Sendable () -> [SocketAddress])?,
        into sink: any ResourceSink,
        context: Data?,
        control: TransferControl,
        report: @escaping Report,
        decide: @escaping @Sendable (TransferOffer) async throws -> OfferAnswer
    ) async throws -> SessionOutcome {
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
        let driver = ReceiveDriver(
            lifecycle: SessionLifecycle(
                role: .receiver,
                local: local,
                configuration: configuration,
                connection: connection,
                logger: logger
            ),
            sink: sink,
            trust: trust,
            token: token,
            pairingLock: pairingLock,
            pool: .singleton,
            context: context,
            openLane: { [application = local.application, configuration, logger] in
                try await PeerConnector(application: application, configuration: configuration, logger: logger).connect(
                    to: [$0],
                    security: security,
                    expecting: $1
                )
            },
            decide: decide,
            report: report
        )
        control.sessionOpened()
        connection.channel.closeFuture.whenComplete { _ in control.sessionClosed() }
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

    /// Connects, unless it is stopped first.
    ///
    /// - Throws: ``ConnectFailure``; ``PeerError`` with ``PeerError/Code/cancelled``.
    private func connect(
        to addresses: [SocketAddress],
        _ security: TransportSecurity?,
        _ expected: PeerID?,
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
            greeting: local.hello(configuration, as: .receiver),
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
    init(_ outcome: SessionOutcome) throws {
        self.init(
            peer: outcome.peer,
            receipt: try outcome.result.get(),
            bytesTransferred: outcome.bytesTransferred,
            bytesSaved: outcome.bytesSaved
        )
    }
}
