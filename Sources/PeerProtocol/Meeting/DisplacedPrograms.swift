/// The programs of a peer that another one has displaced, the last eight of them.
struct DisplacedPrograms: Hashable, Sendable {
    /// What is remembered of a program.
    struct Program: Hashable, Sendable {
        let incarnation: Incarnation
        /// What the application was asked about its last wish.
        var question: MeetingStateMachine.Question?
        /// How many connections with it have carried a link.
        var connectionCount: UInt32 = 0
        /// The highest epoch of a link with it.
        var lastEpoch: UInt32 = 0
    }

    /// How many programs are remembered.
    static let limit = 8
    private var programs: [Program] = []

    /// Remembers a program, and forgets the oldest program if there are too many.
    mutating func append(_ program: Program) {
        programs.append(program)
        if programs.count > Self.limit { programs.removeFirst() }
    }

    /// Forgets a program, which counts from now on, and returns what was remembered of it; a program that was not displaced is new.
    mutating func remove(_ incarnation: Incarnation) -> Program {
        guard let index = programs.firstIndex(where: { $0.incarnation == incarnation }) else {
            return Program(incarnation: incarnation)
        }
        return programs.remove(at: index)
    }

    /// Returns the last wish of a displaced program, 0 if it had none; nil if the program is not displaced.
    func lastWish(of incarnation: Incarnation) -> UInt64? {
        programs.first { $0.incarnation == incarnation }.map { $0.question?.wish ?? 0 }
    }
}
