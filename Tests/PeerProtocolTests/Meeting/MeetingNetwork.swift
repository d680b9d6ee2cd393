import PeerProtocol

/// How many events of each kind an exploration may contain.
struct MeetingBudget: Hashable {
    var breaks: UInt8 = 0
    var failedDials: UInt8 = 0
    var giveUps: UInt8 = 0
    var expiries: UInt8 = 0
    var restarts: UInt8 = 0
}

/// What is explored.
struct MeetingScenario: Sendable {
    var budget = MeetingBudget()
    /// How often a program dials before its wishes expire and its link is given up.
    var dials: UInt8 = 8
    /// How often each application wants a link; once more after a restart.
    var wishes: UInt8 = 1
    /// Whether the peers were introduced to each other: they need no invitations.
    var areIntroduced = false
    /// The side that runs a second program with its key: 0 decides, 1 does not.
    var sideWithTwoPrograms: Int?
    /// Whether it is a flaw if a program uses up its dials.
    var hasEnoughDials = true
    var mutant: MeetingMutant?
}

/// Two machines, or three if two programs have one key, and the connections between them.
struct MeetingNetwork: Hashable {
    /// What a connection delivers.
    enum Item: Hashable {
        case hello
        case invite(Invite)
        case link(Link)
        case accept
        case decline(Decline)
        case ping
        case pong
        case closed
    }

    /// A program with its machine.
    struct Program: Hashable {
        var machine: MeetingStateMachine
        var incarnation: UInt64
        var dials: UInt8 = 0
        var wishesLeft: UInt8
        /// Whether the application wanted a link since the last event that may end one for good.
        var hasWished = false
        /// The invitation about which the application was asked, as long as its connection waits for the answer.
        var asked: Asked?
        /// The wishes of invitations that the application has answered, sorted.
        var answered: [PeerWish] = []
    }

    /// A wish of an incarnation.
    struct PeerWish: Hashable {
        var incarnation: UInt64
        var wish: UInt64
    }

    /// What the application was asked.
    struct Asked: Hashable {
        var wish: PeerWish
        var connection: MeetingConnection
    }

    /// One end of a connection.
    struct End: Hashable {
        var program: Int
        var incarnation: UInt64
        var isHeld = true
        /// What is on its way to this end.
        var items: [Item] = []
    }

    /// A connection, or the attempt to make one.
    struct Connection: Hashable {
        var isOpen = false
        var number: UInt64
        var dialer: End
        var listener: End

        var id: UInt64 { dialer.incarnation * 64 + number }

        /// The end of the dialer (true) or the listener (false).
        subscript(isDialer: Bool) -> End {
            get { isDialer ? dialer : listener }
            set { if isDialer { dialer = newValue } else { listener = newValue } }
        }
    }

    var programs: [Program]
    var connections: [Connection] = []
    var budget: MeetingBudget
    /// Whether a link may end, because of a give-up, an expiry, a restart or a refusal.
    var wasDisturbed = false
    var wasRefused = false
    /// Whether a connection broke or a dial failed.
    var hadFault = false
    /// Whether a program has used up its dials.
    var isExhausted = false
    /// What no network may do, if it has happened.
    var flaw: String?

    init(_ scenario: MeetingScenario) {
        func program(_ side: Int, _ incarnation: UInt64) -> Program {
            Program(
                machine: MeetingStateMachine(decides: side == 0 || scenario.mutant == .bothDecide),
                incarnation: incarnation,
                wishesLeft: scenario.wishes
            )
        }
        budget = scenario.budget
        if let side = scenario.sideWithTwoPrograms {
            programs = [program(1 - side, 1), program(side, 9), program(side, 17)]
        } else {
            programs = [program(0, 1), program(1, 9)]
        }
    }

    static func incarnation(_ number: UInt64) -> Incarnation { Incarnation(high: 0, low: number) }

    /// The name that a program's machine has for a connection.
    func name(_ connection: Connection, isDialer: Bool) -> MeetingConnection {
        isDialer ? .outgoing(connection.number) : .incoming(connection.id)
    }

    /// Where a connection of a program is, and whether the program dialed it.
    func find(_ name: MeetingConnection, _ program: Int) -> (index: Int, isDialer: Bool)? {
        for (index, connection) in connections.enumerated() {
            switch name {
            case .outgoing(connection.number)
            where connection.dialer.incarnation == programs[program].incarnation && connection.dialer.isHeld:
                return (index, true)
            case .incoming(connection.id)
            where connection.listener.program == program && connection.listener.isHeld
                && connection.listener.incarnation == programs[program].incarnation:
                return (index, false)
            default: break
            }
        }
        return nil
    }

    mutating func send(_ item: Item, _ name: MeetingConnection, from program: Int) {
        guard let (index, isDialer) = find(name, program), connections[index].isOpen else {
            flaw = flaw ?? "a frame for a connection that is not there"
            return
        }
        guard connections[index][!isDialer].isHeld else { return }
        connections[index][!isDialer].items.append(item)
    }

    mutating func close(_ name: MeetingConnection, from program: Int) {
        guard let (index, isDialer) = find(name, program) else {
            // A dial for which there are no dials left is no connection.
            if !isExhausted { flaw = flaw ?? "a connection is closed that is not there" }
            return
        }
        guard connections[index].isOpen else {
            connections[index].dialer.isHeld = false
            connections[index].listener.isHeld = false
            return
        }
        connections[index][isDialer].isHeld = false
        connections[index][isDialer].items = []
        if connections[index][!isDialer].isHeld { connections[index][!isDialer].items.append(.closed) }
    }

    /// Removes connections that are over, and gives the others an order, so that equal networks are equal.
    mutating func normalize() {
        connections.removeAll { !$0.dialer.isHeld && !$0.listener.isHeld }
        connections.sort { $0.id < $1.id }
    }
}
