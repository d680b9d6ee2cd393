/// One run of a peer's program: 16 random bytes, which its `hello` says.
package struct Incarnation: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// Creates an incarnation from its two halves.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

/// The programs of a peer that another one has displaced, the last eight of them.
struct DisplacedPrograms: Hashable, Sendable {
    private struct Program: Hashable, Sendable {
        let incarnation: Incarnation
        let question: MeetingStateMachine.Question?
    }

    /// How many programs are remembered.
    static let limit = 8
    private var programs: [Program] = []

    /// Remembers a program and its last wish, and forgets the oldest program if there are too many.
    mutating func append(_ incarnation: Incarnation, _ question: MeetingStateMachine.Question?) {
        programs.append(Program(incarnation: incarnation, question: question))
        if programs.count > Self.limit { programs.removeFirst() }
    }

    /// Forgets a program.
    ///
    /// Returns what the application was asked about its last wish.
    mutating func remove(_ incarnation: Incarnation) -> MeetingStateMachine.Question? {
        guard let index = programs.firstIndex(where: { $0.incarnation == incarnation }) else { return nil }
        return programs.remove(at: index).question
    }

    /// Returns the last wish of a displaced program, 0 if it had none; nil if the program is not displaced.
    func lastWish(of incarnation: Incarnation) -> UInt64? {
        programs.first { $0.incarnation == incarnation }.map { $0.question?.wish ?? 0 }
    }
}
