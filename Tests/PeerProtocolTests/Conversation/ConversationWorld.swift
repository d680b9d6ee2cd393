@testable import PeerProtocol

/// Two machines at the ends of one connection, the frames between them, and the people and stores that answer.
///
/// Each answer is picked in every possible way.
struct ConversationWorld {
    /// What can still go wrong.
    struct Budget: Hashable {
        /// How often a side stops, or the connection breaks.
        var ends = 0
        /// How often a deadline passes although something else could still happen.
        var haste = 0
        /// How many frames a hostile side sends.
        var frames = 0
    }

    /// What one side has to do, and has said and done so far.
    struct Party: Hashable {
        enum Task: Hashable {
            /// The reader waits for an answer.
            case answer(Conversation.Question)
            case speak
            case test
            case consider
            /// The person is asked about the invitation; with digits or without.
            case decide(hasDigits: Bool)
            /// The person compares the digits.
            case compare
            case link
        }

        var tasks: [Task] = []
        var inbox: [Frame] = []
        var trust: Conversation.Trust?
        /// What has let the peer in, or has not.
        var isLetOn = false
        var tokenIsRight: Bool?
        var mayPair = false
        var hasSlot = false
        var isWelcome = false
        var saysSame = false
        var goesOn = false
        var hasPinned = false
        var failureCount = 0
        var hasSentAccept = false
        var hasSentConfirmation = false
        var end: String?
    }

    let purpose: Conversation.Purpose
    let hasToken: Bool
    let isEncrypted: Bool
    let takesAnyone: Bool
    let isMember: Bool
    /// Whether the dialer wants to resume a link, without an invitation.
    let resumes: Bool
    /// The side that sends any frames in any order; nil if both follow the rules.
    let hostile: Int?
    var budget: Budget
    var machines: [ConversationStateMachine]
    var parties = [Party(), Party()]
    /// Why the world is wrong; nil if it is not.
    var flaw: String?

    static let start = ContinuousClock.now
    static let names = ["dialer", "listener"]
    static let times = Conversation.Times(
        securing: .seconds(5),
        handshake: .seconds(15),
        waiting: .seconds(15),
        pairing: .seconds(5),
        longestInvitation: .seconds(60),
        keepAlive: .seconds(100_000),
        silence: .seconds(100_000)
    )

    init(
        _ purpose: Conversation.Purpose,
        hasToken: Bool = false,
        isEncrypted: Bool = true,
        takesAnyone: Bool = false,
        isMember: Bool = false,
        resumes: Bool = false,
        hostile: Int? = nil,
        budget: Budget = Budget()
    ) {
        self.purpose = purpose
        self.hasToken = hasToken
        self.isEncrypted = isEncrypted
        self.takesAnyone = takesAnyone
        self.isMember = isMember
        self.resumes = resumes
        self.hostile = hostile
        self.budget = budget
        machines = [Conversation.Side.dialer, .listener].map { side in
            ConversationStateMachine(
                side,
                purpose,
                hello: Self.hello(side, purpose, isEncrypted: isEncrypted),
                hasToken: hasToken && side == .dialer,
                nonce: side == .dialer ? Sample.receiverNonce : Sample.senderNonce,
                times: Self.times,
                at: Self.start
            )
        }
        for side in [0, 1] where side != hostile {
            let id = isEncrypted ? machines[1 - side].own.peerID : nil
            act(side) { $0.opened(id, at: Self.start) }
        }
    }

    static func hello(_ side: Conversation.Side, _ purpose: Conversation.Purpose, isEncrypted: Bool) -> Hello {
        var hello = side == .dialer ? Sample.receiverHello : Sample.hello
        hello.peerID = side == .dialer ? Sample.receiver : Sample.sender
        hello.role = side
        hello.encryption = isEncrypted ? .required : .none
        if purpose == .session {
            hello.features.append(Hello.sessionsFeature)
            hello.incarnation = Sample.incarnation
        }
        return hello
    }

    var isSession: Bool { purpose == .session }

    /// The time that a side's machine takes for now.
    func now(_ side: Int) -> ContinuousClock.Instant { Self.start }

    /// Passes an event to a machine, and performs its actions.
    mutating func act(_ side: Int, _ event: (inout ConversationStateMachine) -> [Conversation.Action]) {
        let wasOver = machines[side].hasEnded
        let actions = event(&machines[side])
        if wasOver, !actions.isEmpty { flaw = "acts after the end" }
        for action in actions { perform(action, side) }
    }

    private mutating func perform(_ action: Conversation.Action, _ side: Int) {
        switch action {
        case .send(let frame): send(frame, side)
        case .ask(let question): parties[side].tasks.insert(.answer(question), at: 0)
        case .tell(let event): tell(event, side)
        case .refuseIdentity: act(side) { $0.fail(Sample.failure) }
        case .expire: act(side) { $0.fail(Sample.failure) }
        case .countFailedPairing: parties[side].failureCount += 1
        case .awaitLongFrames, .ping, .finish, .abort: break
        }
    }

    private mutating func send(_ frame: Frame, _ side: Int) {
        switch frame {
        case .accept:
            parties[side].hasSentAccept = true
            if let wrong = whyNotAccepted(side) { flaw = "accepts, although \(wrong)" }
        case .pairingConfirmation:
            parties[side].hasSentConfirmation = true
            if !parties[side].saysSame { flaw = "confirms what nobody has compared" }
        default:
            break
        }
        if parties[1 - side].end == nil, hostile != 1 - side { parties[1 - side].inbox.append(frame) }
    }

    /// The rules of who gets in, once more in other words; nil if the listener may accept.
    private func whyNotAccepted(_ side: Int) -> String? {
        let party = parties[side]
        let request = machines[side].request
        if side == 0 { return "it has dialed" }
        if !party.isLetOn { return "the application was not asked" }
        if !party.isWelcome { return "nobody has said yes" }
        if isSession, party.trust == .impostor { return "it is an impostor" }
        if request?.token != nil { return party.tokenIsRight == true && isEncrypted ? nil : "the token is wrong" }
        if party.trust == .impostor { return "it is an impostor" }
        if !isEncrypted, party.trust != .unknown { return "nothing proves the id" }
        if !isSession, !party.hasSlot { return "there is no slot" }
        let isKnown = (party.trust == .trusted || isMember) && request?.isPeerPinned == true
        let isFree = !isEncrypted || isKnown || takesAnyone && request?.session?.takesAnyone == true
        if isFree { return nil }
        if !party.mayPair { return "the address may not pair" }
        if machines[side].digits == nil { return "there are no digits" }
        return party.saysSame || party.goesOn ? nil : "the digits were not compared"
    }

    /// Why the dialer must not go on; nil if it may.
    private func whyNotOnward() -> String? {
        let (party, machine) = (parties[0], machines[0])
        if !party.isLetOn { return "the application was not asked" }
        if isSession, party.trust == .impostor { return "it is an impostor" }
        if hasToken || !isEncrypted { return nil }
        if party.trust == .impostor { return "it is an impostor" }
        if party.trust == .trusted || isMember || takesAnyone { return nil }
        if machine.digits == nil { return "there are no digits" }
        return !isSession || party.saysSame || party.goesOn ? nil : "the digits were not compared"
    }

    private mutating func tell(_ event: Conversation.Event, _ side: Int) {
        switch event {
        case .opened, .frame, .silent, .join, .attach, .notIntroduced: break
        case .connected: if side == 0 { parties[side].tasks.append(.speak) }
        case .test: parties[side].tasks.append(.test)
        case .invited: parties[side].tasks.append(.consider)
        case .ask(let digits): parties[side].tasks.append(.decide(hasDigits: digits != nil))
        case .digits: if isSession { parties[side].tasks.append(.compare) }
        case .accepted:
            if side == 0, let wrong = whyNotOnward() { flaw = "goes on, although \(wrong)" }
            if isSession, side == 0 { parties[side].tasks.append(.speak) }
        case .link: parties[side].tasks.append(.link)
        case .ended(let end):
            parties[side].end = "\(end)"
            parties[side].tasks = []
            parties[side].inbox = []
        }
    }
}
