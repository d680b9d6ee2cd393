package import Logging
package import PeerProtocol

/// Performs the decisions of a conversation, for dialed and accepted connections, of transfers and of sessions.
///
/// It belongs to one actor, which passes on what happens and acts on the events.
package final class ConversationDriver {
    /// The peer, once it has said hello and the trust store has answered.
    package internal(set) var remote: RemotePeer?
    /// Why this side has ended the conversation; nil if the end says it.
    package internal(set) var cause: (any Error)?
    /// How far the peer has come, while it is not accepted.
    var visit = VisitReports.Visit.unasked

    let connection: any ConversationConnection
    var environment: ConversationEnvironment
    /// The peer's address; a closed connection no longer knows it.
    let address: AddressKey
    var machine: ConversationStateMachine
    var logger: Logger
    var loggedPhase = "opening"

    package init(
        _ machine: ConversationStateMachine,
        on connection: any ConversationConnection,
        environment: ConversationEnvironment,
        logger: Logger
    ) {
        self.machine = machine
        self.connection = connection
        self.environment = environment
        self.address = connection.addressKey
        self.logger = logger
        self.logger[metadataKey: "address"] = "\(connection.remoteAddress)"
        noteRemote()
    }

    /// Notes a peer that is not asked about: the peer of a resource is known already.
    func noteRemote() {
        guard remote == nil, let hello = machine.peer else { return }
        remote = RemotePeer(hello, at: connection.remoteAddress, certifiedID: machine.certifiedID, trust: .unknown)
    }

    /// Says what to do if another peer needs the slot; to be called once, at the start.
    package func whenSlotIsNeeded(
        invitation: @escaping @Sendable () -> Void,
        transfer: @escaping @Sendable () -> Void = {}
    ) {
        environment.giveUpInvitation = invitation
        environment.giveUpTransfer = transfer
    }

    /// The machine, for questions about its state.
    package var state: ConversationStateMachine { machine }

    // MARK: What happens

    /// The connection is open.
    package func opened(_ certificate: PeerID?, at now: ContinuousClock.Instant) -> [Conversation.Event] {
        let security = certificate == nil ? "none" : "TLS"
        logger.debug("connection is open", metadata: ["security": "\(security)", "id": "\(certificate?.short ?? "")"])
        return perform(machine.opened(certificate, at: now), at: now).events
    }

    /// A frame has come.
    package func received(_ frame: Frame, at now: ContinuousClock.Instant) async -> [Conversation.Event] {
        if case .hello(let hello) = frame, machine.peer == nil { log(hello) }
        return await complete(machine.received(frame, at: now), at: now)
    }

    /// Data came that are not for what the connection carries.
    package func receivedData() -> [Conversation.Event] { end { $0.violated(.unexpected(.data)) } }

    /// The bytes that came are not of this protocol.
    package func receivedInvalid(_ error: ProtocolError) -> [Conversation.Event] { end { $0.violated(error) } }

    /// The two sides do not agree on encryption.
    package func refuseEncryption(telling failure: Failure, _ error: PeerError? = nil) -> [Conversation.Event] {
        if let error { cause = error }
        return end { $0.refuseEncryption(failure) }
    }

    /// Time has passed; the peer may be silent while this side is busy, because its frames have not been read.
    package func tick(at now: ContinuousClock.Instant, isBusy: Bool = false) -> [Conversation.Event] {
        let receipt = isBusy ? now : connection.lastReceipt
        let actions = machine.tick(at: now, lastReceipt: receipt)
        logSilence(since: receipt, at: now, actions)
        return perform(actions, at: now).events
    }

    // MARK: What this side wants

    /// The dialer invites the listener.
    package func invite(
        _ request: InvitationRequest,
        isMember: Bool = false,
        at now: ContinuousClock.Instant
    ) -> [Conversation.Event] {
        defer { remote?.isAdmittedByShareLink = machine.isAdmittedByToken }
        return perform(machine.invite(request, isMember: isMember, at: now), at: now).events
    }

    /// Finds out whether people must compare digits.
    package func consider(isMember: Bool, takesAnyone: Bool, at now: ContinuousClock.Instant) -> [Conversation.Event] {
        perform(machine.consider(isMember: isMember, takesAnyone: takesAnyone), at: now).events
    }

    /// The invitation to a session is welcome.
    package func accept(at now: ContinuousClock.Instant) -> [Conversation.Event] {
        perform(machine.accept(isCompared: false, at: now), at: now).events
    }

    /// The invitation to a transfer is welcome.
    func accept(isCompared: Bool, at now: ContinuousClock.Instant) async -> [Conversation.Event] {
        await complete(machine.accept(isCompared: isCompared, at: now), at: now)
    }

    /// The person at this side has compared the digits, or continues without comparing them.
    package func compared(isSame: Bool, at now: ContinuousClock.Instant) async -> [Conversation.Event] {
        if isSame, machine.digits != nil { logger.debug("pairing confirmed on this side") }
        return await complete(machine.compared(isSame: isSame, at: now), at: now)
    }

    /// The person at this side continues without comparing the digits.
    package func continueWithoutComparing(at now: ContinuousClock.Instant) -> [Conversation.Event] {
        perform(machine.compared(isSame: false, at: now), at: now).events
    }

    /// The test of a dialer's connection is over.
    package func tested(isAlive: Bool, at now: ContinuousClock.Instant) -> [Conversation.Event] {
        perform(machine.tested(isAlive: isAlive, at: now), at: now).events
    }

    /// Accepts the dialer's claim to a resource.
    func acceptClaim(at now: ContinuousClock.Instant) -> [Conversation.Event] {
        perform(machine.acceptClaim(), at: now).events
    }

    /// The dialer asks for a link.
    package func requestLink(_ terms: LinkTerms, at now: ContinuousClock.Instant) -> [Conversation.Event] {
        perform(machine.requestLink(terms, at: now), at: now).events
    }

    /// The connection carries the link from now on.
    package func link(answering answer: LinkTerms?, at now: ContinuousClock.Instant) {
        _ = perform(machine.link(answering: answer), at: now)
    }

    /// The peer that asks for a link is introduced.
    package func introduced(at now: ContinuousClock.Instant) { machine.introduced(at: now) }

    /// The peer that asks for a link may be introduced within a while.
    package func awaitIntroduction(for duration: Duration, at now: ContinuousClock.Instant) {
        machine.awaitIntroduction(for: duration, at: now)
    }

    /// The peer has answered the offer of a transfer.
    func receivedSelection() -> [Conversation.Event] { end { $0.receivedSelection() } }

    /// The pairing has succeeded, or its failure does not count.
    package func settlePairing() { machine.settlePairing() }

    // MARK: The end

    /// This side says no.
    package func decline(_ refusal: Refusal) -> [Conversation.Event] { end { $0.decline(refusal) } }

    /// Ends the conversation because of an error of this side; the peer is told `failure`, or else the same.
    package func fail(_ error: any Error, telling failure: Failure? = nil) -> [Conversation.Event] {
        guard !machine.hasEnded else { return [] }
        cause = (error as? IdentityRefusal)?.error ?? error
        let told = failure ?? (error as? IdentityRefusal)?.failure ?? Failure(reporting: error)
        return end { $0.fail(told) }
    }

    /// This side stops.
    package func cancel(_ cancellation: Cancellation) -> [Conversation.Event] { end { $0.cancel(cancellation) } }

    /// Ends the conversation silently, or notes that the connection has ended.
    package func lost() -> [Conversation.Event] { end { $0.lost() } }

    /// Ends the conversation as what it carries has decided.
    package func end(_ end: Conversation.End) -> [Conversation.Event] { self.end { $0.end(end) } }

    private func end(_ event: (inout ConversationStateMachine) -> [Conversation.Action]) -> [Conversation.Event] {
        perform(event(&machine), at: environment.now()).events
    }
}
