package import FoundationEssentials
public import Logging
import NIOConcurrencyHelpers
package import NIOCore
import NIOPosix

/// A receiver: connects to a sender, sends an invitation, and receives the accepted resources.
///
/// ```swift
/// try await TransferReceiver(local: local).receive(from: peer.addresses, expecting: peer.peerID, into: sink) { offer in
///     .accept(Set(offer.manifest.entries.map(\.kind)))
/// }
/// ```
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
    private let pairingFailures: AddressLockout.Shared
    /// How many transfers are being received; shared, too.
    private let receptionCount = NIOLockedValueBox(0)

    /// What the attempts of one transfer need: the first one, and one without encryption.
    private struct Request {
        var addresses: [SocketAddress]
        /// Nil for plain text.
        var security: TransportSecurity?
        let expected: ExpectedPeer?
        let token: ShareToken?
        let connectingTime: Duration?
        var lookAgain: (@Sendable () -> [SocketAddress])?
        let sink: any ResourceSink
        let context: Data?
        let control: TransferControl
        let report: @Sendable (RemotePeer?, TransferUpdate.Event) -> Void
        let showsEstimate: @Sendable (Manifest) -> Bool
        let decide: @Sendable (TransferOffer) async throws -> OfferAnswer
        let picking: OfferPicking?
    }

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
        self.pairingFailures = AddressLockout.Shared(configuration)
    }

    /// Receives one transfer, from the addresses of sockets.
    ///
    /// - Throws: As the public function of this name.
    package func receive(
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
            : try TransportSecurity(identity: local.identity, application: local.application)
        let expected = ExpectedPeer(id: expected, prefix: link?.sender)
        if expected != nil, security == nil {
            throw PeerError(
                .invalidArgument,
                "A peer can be identified only on an encrypted connection.",
                remedy: "Use encryption on this machine, too."
            )
        }
        // What the application throws itself is thrown as it is.
        let ownError = NIOLockedValueBox<(any Error)?>(nil)
        var picking = picking
        if let pick = picking?.decide {
            picking?.decide = { offer in try await Self.noting(ownError) { try await pick(offer) } }
        }
        var request = Request(
            addresses: addresses,
            security: security,
            expected: expected,
            token: link?.token,
            connectingTime: connectingTime,
            lookAgain: lookAgain,
            sink: sink,
            context: context,
            control: control,
            report: { updates?.yield(TransferUpdate(transfer: 1, peer: $0, event: $1)) },
            showsEstimate: showsEstimate,
            decide: { offer in try await Self.noting(ownError) { try await decide(offer) } },
            picking: picking
        )
        do {
            do {
                return try Result(await receive(request))
            } catch let failure as ConnectFailure where allowsPlainText(expected) && !failure.plainTextAddresses.isEmpty
            {
                // With this preference, a sender without encryption is acceptable. A message inside TLS never leads to plain text.
                request.report(nil, .connection(.disconnected))
                (request.addresses, request.security, request.lookAgain) = (failure.plainTextAddresses, nil, nil)
                return try Result(await receive(request))
            }
        } catch let failure as ConnectFailure {
            request.report(nil, .transfer(.failed(failure.error)))
            request.report(nil, .connection(.disconnected))
            throw failure.error
        } catch {
            throw ownError.withLockedValue { $0 } ?? PeerError(receiving: error)
        }
    }

    /// Calls a closure of the application, and notes its error.
    private static func noting<Answer>(
        _ note: NIOLockedValueBox<(any Error)?>,
        _ body: () async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await body()
        } catch {
            note.withLockedValue { $0 = error }
            throw error
        }
    }

    /// Whether a peer without encryption is acceptable; without encryption, nothing proves the identity of a peer.
    private func allowsPlainText(_ expected: ExpectedPeer?) -> Bool {
        configuration.encryption == .optional && expected == nil
    }

    private func receive(_ request: Request) async throws -> TransferOutcome {
        let report = request.report
        report(nil, .connection(.connecting))
        let connection: FrameConnection
        do {
            connection = try await connect(request)
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
                hasToken: request.token != nil,
                logger: logger
            ),
            lifecycle: TransferLifecycle(configuration: configuration, connection: connection, logger: logger),
            context: ReceiveContext(
                sink: request.sink,
                invitation: InvitationRequest(
                    timeout: max(1, min(limit, seconds)),
                    context: request.context,
                    token: request.token
                ),
                pool: .singleton,
                openLane: PeerConnector.openingLanes(local.application, configuration, request.security, logger),
                picking: request.picking,
                showsEstimate: request.showsEstimate,
                decide: request.decide,
                report: report
            )
        )
        let control = request.control
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
    private func connect(_ request: Request) async throws -> FrameConnection {
        guard !request.control.isCancelled else { throw PeerError(.cancelled, "The transfer was stopped.") }
        let isSecuring = NIOLockedValueBox(false)
        let (report, isEncrypted) = (request.report, request.security != nil)
        var configuration = configuration
        if let connectingTime = request.connectingTime {
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
                if isEncrypted, isFirst { report(nil, .connection(.securing)) }
            }
        )
        do {
            return try await request.control.untilCancelled {
                try await connector.connect(
                    to: request.addresses,
                    security: request.security,
                    expecting: request.expected,
                    lookingAgain: request.lookAgain
                )
            }
        } catch let error as CancellationError {
            throw PeerError(.cancelled, "The transfer was stopped.", cause: error)
        }
    }
}
