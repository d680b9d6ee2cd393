/// Tries whether a network carries more if one more receiver is served.
///
/// A pure value. One receiver is best if it fills the network: others would only make it slower. If it cannot, because its own radio or
/// its disk is slow, another one gets the rest. Nobody knows the capacity of a network, so one more is served for a moment. It pays if
/// all together become faster, and those that were served before do not become slower. Then the first one pauses for a moment: a
/// slow radio takes the time of a fast one, which would be much faster without it.
struct TurnTest: Sendable {
    /// What was measured over a moment.
    struct Sample: Sendable {
        var time: ContinuousClock.Instant
        /// How long was measured, in seconds.
        var seconds: Double
        /// The bytes per second of all receivers together.
        var total: Double
        /// Those of the receivers that are served, without the one that is tried.
        var served: Double
    }

    /// What a measurement leads to.
    enum OnMeasured: Equatable, Sendable {
        /// Serve one more.
        case begin
        /// Serve that one without the first one.
        case pause
        /// It pays: those that were served before leave room for others.
        case pays
        /// It does not pay.
        case failed
        case none
    }

    private enum State {
        case watching
        /// One more is served; measured from the given time on.
        case beside(before: (total: Double, served: Double), from: ContinuousClock.Instant)
        /// The first one pauses.
        case without(together: Double, from: ContinuousClock.Instant)
    }

    /// The factor by which all together must become faster; less could be chance.
    private static let gain = 1.15
    /// How much of their rate those that were served before must keep.
    private static let kept = 0.8
    /// The factor by which the others become faster without one that takes their time.
    private static let hurt = 1.1
    /// How many seconds are measured before a test, and in it.
    private static let watching = 0.45
    private static let measuring = 0.45
    /// How long it takes until the effect of a test shows.
    private static let settling: Duration = .milliseconds(300)
    // After each test in vain, the rest is twice as long: trying costs less and less.
    private static let firstRest: Duration = .seconds(8)
    private static let longestRest: Duration = .seconds(64)

    private var state = State.watching
    /// The last samples since the same receivers are served.
    private var samples: [Sample] = []
    private var rest = firstRest
    private var restEnd: ContinuousClock.Instant?

    /// Whether one more is served.
    var isRunning: Bool { if case .watching = state { false } else { true } }

    /// Whether the first one pauses.
    var pausesFirst: Bool { if case .without = state { true } else { false } }

    /// Others are served now than before; a test ends without a result.
    mutating func interrupted() {
        state = .watching
        samples = []
    }

    /// Notes what was measured.
    ///
    /// - Parameters:
    ///   - sample: The measurement.
    ///   - hasOthers: Whether others wait that could be served.
    ///   - leavesSome: Whether those that are served send less than the network has carried.
    /// - Returns: What to do.
    mutating func measured(_ sample: Sample, hasOthers: Bool, leavesSome: Bool) -> OnMeasured {
        switch state {
        case .watching:
            samples.append(sample)
            if samples.count > 4 { samples.removeFirst() }
            guard hasOthers, seconds >= Self.watching, leavesSome || restEnd.map({ sample.time >= $0 }) ?? true else {
                return .none
            }
            begin(at: sample.time)
            return .begin
        case .beside(let before, let from):
            guard add(sample, from) else { return .none }
            let (total, served) = average
            guard total > 0, total >= before.total * Self.gain, served >= before.served * Self.kept else {
                return fail(at: sample.time)
            }
            state = .without(together: total, from: sample.time + Self.settling)
            samples = []
            return .pause
        case .without(let together, let from):
            guard add(sample, from) else { return .none }
            guard average.total < together * Self.hurt else { return fail(at: sample.time) }
            // Perhaps there is room for still another one.
            rest = Self.firstRest
            restEnd = nil
            interrupted()
            return .pays
        }
    }

    /// Adds a sample of a test; returns whether these are enough.
    private mutating func add(_ sample: Sample, _ from: ContinuousClock.Instant) -> Bool {
        guard sample.time > from else { return false }
        samples.append(sample)
        return seconds >= Self.measuring
    }

    private mutating func fail(at now: ContinuousClock.Instant) -> OnMeasured {
        restEnd = now + rest
        rest = min(rest * 2, Self.longestRest)
        interrupted()
        return .failed
    }

    private mutating func begin(at now: ContinuousClock.Instant) {
        state = .beside(before: average, from: now + Self.settling)
        samples = []
    }

    private var seconds: Double { samples.reduce(0) { $0 + $1.seconds } }

    /// The mean of the samples.
    var average: (total: Double, served: Double) {
        let seconds = max(0.001, seconds)
        return (
            samples.reduce(0) { $0 + $1.total * $1.seconds } / seconds,
            samples.reduce(0) { $0 + $1.served * $1.seconds } / seconds
        )
    }
}
