/// Tests whether a network carries more if one more receiver is served.
///
/// A pure value. One receiver is best if it fills the network: others would only make it slower. If its own radio or disk is too
/// slow for that, another receiver gets the rest. The capacity of a network is unknown, so one more receiver is served for a
/// moment. That pays if the total rate rises, and the other receivers do not become slower. Then the first receiver pauses for a
/// moment, because a slow radio takes airtime from a fast one.
struct TurnTest: Sendable {
    /// What was measured over a moment.
    struct Sample: Sendable {
        var time: ContinuousClock.Instant
        /// How long was measured, in seconds.
        var seconds: Double
        /// The bytes per second of all receivers together.
        var total: Double
        /// The rate of the served receivers, without the one that is being tested.
        var served: Double
    }

    /// What a measurement leads to.
    enum OnMeasured: Equatable, Sendable {
        /// Serve one more receiver.
        case begin
        /// Serve that receiver without the first one.
        case pause
        /// It pays: those that were served before leave room for others.
        case pays
        /// It does not pay.
        case failed
        case none
    }

    private enum State {
        case watching
        /// One more receiver is served; measured from the given time on.
        case beside(before: (total: Double, served: Double), from: ContinuousClock.Instant)
        /// The first receiver pauses.
        case without(together: Double, from: ContinuousClock.Instant)
    }

    /// The factor by which all together must become faster; less could be chance.
    private static let gain = 1.15
    /// How much of their rate those that were served before must keep.
    private static let kept = 0.8
    /// The factor by which the others become faster without a receiver that takes their airtime.
    private static let hurt = 1.1
    /// How many seconds are measured before a test, and in it.
    private static let watching = 0.45
    private static let measuring = 0.45
    /// How long it takes until the effect of a test shows.
    private static let settling: Duration = .milliseconds(300)
    // Each failed test doubles the rest, so tests cost less and less.
    private static let firstRest: Duration = .seconds(8)
    private static let longestRest: Duration = .seconds(64)

    private var state = State.watching
    /// The last samples since the same receivers are served.
    private var samples: [Sample] = []
    private var rest = firstRest
    private var restEnd: ContinuousClock.Instant?

    /// Whether one more receiver is served.
    var isRunning: Bool { if case .watching = state { false } else { true } }

    /// Whether the first receiver pauses.
    var pausesFirst: Bool { if case .without = state { true } else { false } }

    /// The set of served receivers has changed; a test ends without a result.
    mutating func interrupted() {
        state = .watching
        samples = []
    }

    /// Notes what was measured.
    mutating func measured(_ sample: Sample, hasOthers: Bool, leavesSome: Bool) -> OnMeasured {
        switch state {
        case .watching:
            samples.append(sample)
            if samples.count > 4 { samples.removeFirst() }
            guard hasOthers, seconds >= Self.watching, leavesSome || restEnd.map({ sample.time >= $0 }) ?? true else {
                return .none
            }
            state = .beside(before: average, from: sample.time + Self.settling)
            samples = []
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
