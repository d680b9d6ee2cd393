import NIOCore

/// The requests of both sides of a link that are not over.
///
/// Short requests have even numbers, long ones odd numbers. Those of each kind rise. ("Links", section "Requests".)
struct RequestTable: Sendable {
    /// The streams of one side.
    struct Streams: Hashable, Sendable {
        var short: UInt32
        var long: UInt32?
    }

    /// A request of the other side that is not answered.
    struct Open: Hashable, Sendable {
        var stream: UInt32
        /// How many bytes of the window it takes; 0 if they were released.
        var length: Int
    }

    // This side asks.
    /// The streams of this side; nil before its first request.
    var own: Streams?
    private var nextShort: UInt64 = 2
    private var nextLong: UInt64 = 1
    /// The numbers of this side's requests that are not over.
    private(set) var asked: Set<UInt64> = []

    // The other side asks.
    /// The other side's stream of short requests; nil if there is none.
    var theirShort: UInt32?
    /// The other side's stream of long requests; nil if there is none.
    var theirLong: UInt32?
    private var lastShort: UInt64 = 0
    private var lastLong: UInt64 = 0
    private(set) var open: [UInt64: Open] = [:]
    /// Long requests that were withdrawn before all of them has arrived.
    private var withdrawnEarly: Set<UInt64> = []
    /// Answers and refusals that were not sent yet.
    var unsent = UnsentEntries()

    static func isShort(_ number: UInt64) -> Bool { !RequestEntry.isLong(number) }

    // MARK: This side asks

    /// Takes the number of a new request.
    mutating func ask(isShort: Bool) -> UInt64 {
        let number = isShort ? nextShort : nextLong
        if isShort { nextShort += 2 } else { nextLong += 2 }
        asked.insert(number)
        return number
    }

    /// Whether this side has asked a request with this number, now or earlier.
    func wasAsked(_ number: UInt64) -> Bool {
        number > 0 && (Self.isShort(number) ? number < nextShort : number < nextLong)
    }

    /// A request of this side is over; returns false if it was over before.
    mutating func settle(_ number: UInt64) -> Bool { asked.remove(number) != nil }

    // MARK: The other side asks

    /// Notes the number of a request of the other side; returns false if it may not have this number.
    mutating func note(_ number: UInt64, isShort: Bool) -> Bool {
        guard Self.isShort(number) == isShort, number > (isShort ? lastShort : lastLong) else { return false }
        if isShort { lastShort = number } else { lastLong = number }
        return true
    }

    /// Whether a request was withdrawn before it arrived.
    mutating func wasWithdrawn(_ number: UInt64) -> Bool { withdrawnEarly.remove(number) != nil }

    mutating func add(_ number: UInt64, _ request: Open) { open[number] = request }

    /// Removes a request of the other side; nil if it is over.
    mutating func remove(_ number: UInt64) -> Open? { open.removeValue(forKey: number) }

    /// The window of a request is released; returns what has to be released of it.
    mutating func release(_ number: UInt64) -> Open? {
        guard let request = open[number], request.length > 0 else { return nil }
        open[number]?.length = 0
        return request
    }

    /// A withdrawal came for a request that is not open; returns false if it may not come.
    mutating func withdrewEarly(_ number: UInt64, atMost maximum: Int) -> Bool {
        if Self.isShort(number) { return number <= lastShort }
        guard number > lastLong else { return true }
        guard withdrawnEarly.count < maximum else { return false }
        withdrawnEarly.insert(number)
        return true
    }
}

/// Where answers and refusals end that wait to be sent, so that a peer that reads none cannot ask for ever more of them.
struct UnsentEntries: Sendable {
    private var ends: [CircularBuffer<UInt64>] = .init(repeating: CircularBuffer(initialCapacity: 0), count: 3)

    /// The number of answers that wait.
    var answerCount: Int { ends[0].count + ends[1].count }
    /// The number of refusals that wait.
    var refusalCount: Int { ends[2].count }

    mutating func addAnswer(endingAt end: UInt64, isShort: Bool) { ends[isShort ? 0 : 1].append(end) }

    mutating func addRefusal(endingAt end: UInt64) { ends[2].append(end) }

    /// Forgets what was sent.
    mutating func sent(short: UInt64, long: UInt64) {
        drop(0, upTo: short)
        drop(1, upTo: long)
        drop(2, upTo: short)
    }

    private mutating func drop(_ index: Int, upTo sent: UInt64) {
        while let first = ends[index].first, first <= sent { _ = ends[index].popFirst() }
    }
}
