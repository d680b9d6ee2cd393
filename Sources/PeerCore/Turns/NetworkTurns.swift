/// Decides which receivers on one network of a sender are served and which wait.
///
/// A pure value; the time is passed in. The receiver that will have everything first is served first, alone. A receiver that leaves
/// room on the network, because its own radio or disk is slow, is served together with others (``TurnTest``). Waiting receivers get
/// a small share, which keeps their connections alive. (PeerCore.docc/Inside.md, "Turns".)
struct NetworkTurns: Sendable {
    struct Member: Sendable {
        /// The bytes that are still to be sent.
        var left: UInt64
        /// Whether bytes can be sent now; if not, the receiver is busy with work of its own.
        var isReady = false
        /// The bytes per second while it was served; nil before.
        var rate: Double?
        /// The bytes per second that it had at least while others were served, too.
        var leastRate = 0.0
        /// The bytes that were sent since the last measurement.
        var sent: UInt64 = 0
        // However many bytes were taken while the receiver was served, they count as few: a debt of minutes would end the transfer.
        /// How many bytes it may be sent while it waits; never less than minus `waitingLength`.
        var allowance = Double(NetworkTurns.waitingLength)
        /// Whether serving a second receiver alongside it did not help.
        var wasTried = false
        /// The bytes per second at which it left room for others; nil if it does not.
        var limit: Double?
    }

    /// How many bytes a receiver that waits is sent at once.
    static let waitingLength = 16 * 1024
    /// The share of the network for all that wait.
    private static let waitingShare = 0.02
    // Both sides end a transfer that gets less than 64 KiB in 60 s (`BulkPace`).
    /// The least bytes per second of each one that waits.
    static let leastRate = 3 * 1024.0
    /// The same while nothing is known of the network.
    private static let firstRate = 16 * 1024.0
    /// The shortest time over which is measured.
    private static let interval: Duration = .milliseconds(240)
    /// The same while no bytes are finished: on a slow network, they take longer.
    private static let longestInterval: Duration = .milliseconds(960)
    /// The factor by which another receiver must be ahead to take the turn: switching back and forth wastes time.
    private static let patience = 0.8
    /// How fast the best rate of the network is forgotten, for each measurement.
    private static let forgetting = 0.98
    /// How much of a new measurement counts.
    private static let weight = 0.3
    /// The same for the network, whose rate changes less than that of a receiver.
    private static let slowWeight = 0.15
    /// The seconds of measurements before times are said: the first ones are those of the buffers on the way.
    private static let firstTime = 2.0

    private var members: [Int: Member] = [:]
    /// The members, the one that is to be served first in front.
    private(set) var order: [Int] = []
    /// The receivers that are served now.
    private(set) var served: [Int] = []
    /// The mean of the bytes per second of all together.
    private var carried = 0.0
    /// The seconds that were measured, up to ``firstTime``.
    private var measuredTime = 0.0
    /// The most of that, lately; 0 while nothing is known.
    private var best = 0.0
    /// The bytes that have arrived since the last measurement.
    private var arrivedBytes: UInt64 = 0
    /// The mean of the bytes per second that arrive; nil while nothing is known.
    private var arrivedRate: Double?
    private var test = TurnTest()
    private var measured: ContinuousClock.Instant
    private var granted: ContinuousClock.Instant

    init(at now: ContinuousClock.Instant) {
        measured = now
        granted = now
    }

    /// The bytes per second that the network has carried lately; nil while it is unknown.
    var rate: Double? { arrivedRate ?? (best > 0 ? best : nil) }

    /// Whether there are no receivers.
    var isEmpty: Bool { members.isEmpty }

    // MARK: Members

    /// A receiver joined; it needs this many bytes.
    mutating func joined(_ number: Int, left: UInt64, at now: ContinuousClock.Instant) {
        members[number] = Member(left: left)
        order.append(number)
        arrange(at: now)
    }

    /// A receiver left, with everything or without.
    mutating func left(_ number: Int, at now: ContinuousClock.Instant) {
        members[number] = nil
        arrange(at: now)
    }

    /// The receiver is, or is no longer, ready to be sent data.
    mutating func set(_ number: Int, isReady: Bool, at now: ContinuousClock.Instant) {
        guard let member = members[number], member.isReady != isReady else { return }
        members[number]?.isReady = isReady
        arrange(at: now)
    }

    /// Bytes were sent; `left` are still to be sent.
    mutating func sent(_ bytes: Int, to number: Int, left: UInt64) {
        members[number]?.sent += UInt64(clamping: bytes)
        members[number]?.left = left
    }

    /// Bytes have arrived at a receiver, which were sent before.
    mutating func arrived(_ bytes: UInt64) { arrivedBytes += bytes }

    // MARK: Permission

    /// The most bytes that a receiver may be sent at once now.
    func lengthLimit(of number: Int) -> Int { served.contains(number) ? .max : Self.waitingLength }

    /// Whether bytes may be sent now.
    func mayTake(_ number: Int) -> Bool {
        guard let member = members[number] else { return false }
        return served.contains(number) || member.allowance > 0
    }

    /// Takes the permission to send bytes; false if the receiver has to wait.
    mutating func take(_ bytes: Int, for number: Int) -> Bool {
        guard let member = members[number], mayTake(number) else { return false }
        if !served.contains(number) {
            members[number]?.allowance = max(member.allowance - Double(bytes), -Double(Self.waitingLength))
        }
        return true
    }

    // MARK: Time

    /// Time has passed.
    mutating func tick(at now: ContinuousClock.Instant) {
        grant(at: now)
        let elapsed = (now - measured) / .seconds(1)
        guard now - measured >= (hasSent ? Self.interval : Self.longestInterval) else { return }
        let rates = members.mapValues { Double($0.sent) / elapsed }
        restartMeasurement(at: now)
        let tested = tested
        let sample = TurnTest.Sample(
            time: now,
            seconds: elapsed,
            total: rates.values.reduce(0, +),
            served: served.reduce(0) { $0 + ($1 == tested ? 0 : rates[$1] ?? 0) }
        )
        measuredTime = min(Self.firstTime, measuredTime + elapsed)
        noteArrived(during: elapsed)
        note(rates, sample.total, except: tested)
        let before = served
        // The rates during a test do not end the test.
        if !test.isRunning { arrange(at: now) }
        if served == before { decide(sample, rates) }
    }

    /// Whether the served receivers were sent something since the last measurement.
    private var hasSent: Bool { served.contains { members[$0]?.sent ?? 0 > 0 } }

    /// Tries to serve another receiver together with those that are served.
    private mutating func decide(_ sample: TurnTest.Sample, _ rates: [Int: Double]) {
        let leader = leader
        let member = leader.flatMap { members[$0] }
        let leaderRate = leader.flatMap { rates[$0] } ?? 0
        // A receiver that gets far less than the network has carried leaves room for others.
        let leavesSome =
            sample.total < best * 0.8 && member?.wasTried != true || leaderRate < (member?.rate ?? 0) * 0.25
        switch test.measured(sample, hasOthers: hasOthers, leavesSome: leavesSome) {
        case .none: return
        case .begin, .pause: break
        case .pays: if let leader { members[leader]?.limit = max(1, member?.rate ?? 0) }
        case .failed: if let leader { members[leader]?.wasTried = true }
        }
        serve(at: sample.time, testing: true)
    }

    /// What is sent first only fills the buffers of the system, so what arrives tells more of a slow network.
    private mutating func noteArrived(during elapsed: Double) {
        guard arrivedBytes > 0 else { return }
        let rate = Double(arrivedBytes) / elapsed
        arrivedRate = arrivedRate.map { $0 * (1 - Self.slowWeight) + rate * Self.slowWeight } ?? rate
        arrivedBytes = 0
    }

    private mutating func note(_ rates: [Int: Double], _ total: Double, except tested: Int?) {
        let expected = best
        // The first bytes are many at once. On a slow network, the end of them makes a short measurement far too high.
        carried = carried > 0 ? carried * (1 - Self.slowWeight) + total * Self.slowWeight : total
        best = max(carried, best * Self.forgetting)
        for number in served {
            guard let rate = rates[number], let member = members[number] else { continue }
            guard !test.isRunning else {
                if number == tested { members[number]?.leastRate = max(member.leastRate, rate) }
                continue
            }
            // A slow start does not end the turn of a receiver that was not served before.
            let before = member.rate ?? max(expected, rate)
            let mean = before * (1 - Self.weight) + rate * Self.weight
            members[number]?.rate = mean
            // The receiver moved, or was not the bottleneck.
            if let limit = member.limit, mean < limit * 0.5 || mean > limit * 1.7 { members[number]?.limit = nil }
        }
    }

    /// Lets waiting receivers get a few bytes.
    private mutating func grant(at now: ContinuousClock.Instant) {
        let elapsed = (now - granted) / .seconds(1)
        granted = now
        let rate = waitingRate
        for number in members.keys where !served.contains(number) {
            let allowance = members[number]?.allowance ?? 0
            members[number]?.allowance = min(allowance + rate * elapsed, max(Double(Self.waitingLength), rate / 2))
        }
    }

    private var waitingRate: Double {
        let count = Double(max(1, members.count - served.count))
        return best > 0 ? max(Self.leastRate, best * Self.waitingShare / count) : Self.firstRate
    }

    private mutating func restartMeasurement(at now: ContinuousClock.Instant) {
        measured = now
        for number in members.keys { members[number]?.sent = 0 }
    }

    // MARK: Order

    /// Puts the members in order, and serves the first.
    private mutating func arrange(at now: ContinuousClock.Instant) {
        order = order.filter { members[$0] != nil }
        let times = Dictionary(uniqueKeysWithValues: order.map { ($0, time(of: $0) * weight(of: $0)) })
        // Those that came first stay first among equals.
        order = order.enumerated().sorted { left, right in
            let (first, second) = (times[left.element] ?? 0, times[right.element] ?? 0)
            return first == second ? left.offset < right.offset : first < second
        }.map(\.element)
        serve(at: now)
    }

    private mutating func serve(at now: ContinuousClock.Instant, testing: Bool = false) {
        let before = Set(served)
        served = chosen
        guard Set(served) != before else { return }
        // The measurements so far belong to other receivers.
        restartMeasurement(at: now)
        guard !testing else { return }
        test.interrupted()
        served = chosen
    }

    /// All receivers that leave room for others, and the first one that does not; in a test, also the second one.
    private var chosen: [Int] {
        let filling = filling
        var picked = filling.prefix(test.isRunning ? 2 : 1)
        if test.pausesFirst { picked = picked.dropFirst() }
        return order.filter { picked.contains($0) || members[$0]?.isReady == true && members[$0]?.limit != nil }
    }

    /// The receivers that fill the network, or might.
    private var filling: [Int] { order.filter { members[$0]?.isReady == true && members[$0]?.limit == nil } }

    private var leader: Int? { filling.first }

    /// The receiver that is served as a test.
    private var tested: Int? { test.isRunning ? filling.dropFirst().first : nil }

    private var hasOthers: Bool { filling.count > 1 }

    private func weight(of number: Int) -> Double { served.contains(number) ? Self.patience : 1 }

    /// The seconds that the rest takes if the receiver is served; only their relation counts while no rate is known.
    private func time(of number: Int) -> Double {
        guard let member = members[number] else { return 0 }
        return Double(member.left) / max(1, rate(of: member))
    }

    private func rate(of member: Member) -> Double {
        // A receiver that was not served yet may be as fast as the fastest.
        member.rate ?? max(assumedRate, member.leastRate)
    }

    private var assumedRate: Double { members.values.reduce(best) { max($0, $1.rate ?? 0, $1.leastRate) } }

    /// The place of a receiver; nil if it left.
    func turn(of number: Int) -> TransferTurn? {
        guard let index = order.firstIndex(of: number) else { return nil }
        // Ignore short tests and pauses.
        let isServed = test.isRunning && number == leader || served.contains(number) && number != tested
        let before = isServed ? 0 : order[..<index].reduce(0) { $0 + time(of: $1) } / Double(max(1, served.count))
        let seconds = before + time(of: number)
        return TransferTurn(
            place: isServed ? 1 : index + 1,
            count: members.count,
            timeLeft: Self.time(assumedRate > 0 && measuredTime >= Self.firstTime ? seconds : nil),
            bytesPerSecond: rate
        )
    }

    /// The place of a receiver that would join and want so many bytes.
    func prospect(left: UInt64, rate: Double?) -> TransferTurn {
        let own = rate.map { Double(left) / max(1, $0) }
        let before = order.filter { number in own.map { time(of: number) <= $0 } ?? true }
        let seconds = own.map { own in
            own + before.reduce(0) { $0 + time(of: $1) } / Double(max(1, served.count))
        }
        return TransferTurn(
            place: before.count + 1,
            count: members.count + 1,
            timeLeft: Self.time(seconds),
            bytesPerSecond: rate
        )
    }

    /// A time; nil beyond a week, which cannot be estimated.
    static func time(_ seconds: Double?) -> Duration? {
        seconds.flatMap { $0 >= 0 && $0 < 604_800 ? .seconds($0) : nil }
    }
}
