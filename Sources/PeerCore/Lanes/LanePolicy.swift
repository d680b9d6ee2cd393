/// Whether a session may spread bulk data over further connections, called lanes.
public enum LaneUse: Hashable, Sendable {
    /// Never; the other side is not told of the feature.
    case never
    /// As many as help, and none where they do not.
    case whenTheyHelp
    /// That many, from the start of each resource.
    case always(Int)
}

/// Decides when bulk data go over more than one connection.
///
/// A pure value. Loss at random, as on a bad radio link, makes one stream collapse: it takes each loss for a full link and
/// slows down. Then another way to answer losses helps, or several streams, each of which slows down by itself. On a link
/// that is really full neither does, and it shows: the packets wait in a queue, and the round trip takes longer than it
/// could. So a step is tried only if packets are lost while the round trip is short, and it is kept only if it pays.
struct LanePolicy: Sendable {
    /// What was measured.
    struct Sample: Sendable {
        var time: ContinuousClock.Instant
        /// The bytes that arrived at the peer, on all connections together.
        var acknowledged: UInt64
        /// The packets that were sent again, on all connections together.
        var retransmitted: UInt64
        /// How long a packet and its answer take now.
        var roundTrip: Duration
        /// How long they took at best.
        var shortestRoundTrip: Duration
        /// The bytes that are still to be sent.
        var bytesLeft: UInt64
        /// How many lanes there are.
        var laneCount: Int
    }

    /// What to do.
    enum Action: Equatable, Sendable {
        case none
        /// Answer losses in the other way (`bbr`); ``LanePolicy/controlRefused()`` if the system does not allow it.
        case changeControl
        /// Go back to the old way.
        case restoreControl
        /// Have so many more lanes opened.
        case invite(Int)
        /// Close so many lanes when they have sent what they have taken.
        case close(Int)
    }

    private enum Step: Equatable {
        case control
        case lanes(Int)
    }

    private enum State {
        case watching
        /// A step was taken; its effect is measured from the first time to the second.
        case settling(Step, from: ContinuousClock.Instant)
        case measuring(Step, since: Sample)
        case resting(until: ContinuousClock.Instant)
    }

    /// Below this, what is won is chance.
    private static let gain = 1.15
    /// The same for more lanes where some have paid: they cost little then.
    private static let furtherGain = 1.05
    /// A share of the bytes that are sent again below which a stream does not collapse.
    private static let leastLoss = 0.003
    /// The usual length of a packet, in bytes.
    private static let packetLength: UInt64 = 1448
    /// How many bytes must have arrived for a share of them to mean anything.
    private static let leastAcknowledged: UInt64 = 32 * 1024
    /// Less work than this is not worth a step.
    private static let worthwhile: Duration = .seconds(3)
    /// Over how much time the rate before a step is taken, at least and at most.
    private static let shortest: Duration = .milliseconds(240)
    private static let longest: Duration = .seconds(1)
    /// How long a step may take to show.
    private static let settling: Duration = .milliseconds(350)
    /// How long lanes may take to join.
    private static let joining: Duration = .milliseconds(1500)
    private static let measuring: Duration = .milliseconds(700)
    private static let firstRest: Duration = .seconds(1)
    private static let longestRest: Duration = .seconds(160)
    /// The lanes of the first step; four streams in all.
    private static let firstLanes = 3

    private let maximumLaneCount: Int
    private var state = State.watching
    private var history: [Sample] = []
    private var rateBefore = 0.0
    private var hasTriedControl = false
    private var isControlChanged = false
    /// How many lanes have paid.
    private var paidLanes = 0
    /// How many lanes there are when all that were asked for have joined.
    private var wantedLanes = 0
    private var rest = firstRest

    init(maximumLaneCount: Int) {
        self.maximumLaneCount = maximumLaneCount
    }

    /// Another resource begins; lanes that have paid are wanted again at once, if there is enough of it.
    mutating func began(bytes: UInt64) -> Action {
        history = []
        if case .resting = state { return .none }
        state = .watching
        guard paidLanes > 0, Double(bytes) > rateBefore * (Self.worthwhile / .seconds(1)) else { return .none }
        return .invite(paidLanes)
    }

    /// The system does not allow the other way to answer losses.
    mutating func controlRefused(at now: ContinuousClock.Instant) -> Action {
        guard case .settling(.control, _) = state else { return .none }
        return inviteMore(laneCount: 0, at: now)
    }

    /// Decides by the next sample.
    mutating func sampled(_ sample: Sample) -> Action {
        switch state {
        case .watching:
            history.append(sample)
            while history.count > 2, sample.time - history[0].time > Self.longest { history.removeFirst() }
            return consider(sample)
        case .settling(let step, let from):
            // Lanes whose first packets were lost come late; what is measured without them says nothing.
            let isComplete = step == .control || sample.laneCount >= wantedLanes
            if sample.time - from >= (isComplete ? Self.settling : Self.joining) {
                state = .measuring(step, since: sample)
            }
            return .none
        case .measuring(let step, let since):
            guard sample.time - since.time >= Self.measuring else { return .none }
            return judge(step, since, sample)
        case .resting(let end):
            guard sample.time >= end else { return .none }
            watch(from: sample)
            return .none
        }
    }

    private mutating func watch(from sample: Sample) {
        state = .watching
        history = [sample]
    }

    private mutating func consider(_ sample: Sample) -> Action {
        guard let first = history.first, sample.time - first.time >= Self.shortest,
            isCollapsing(from: first, to: sample)
        else { return .none }
        // The beginning was quicker, as long as nothing was lost; that is not what there is to lose.
        let previous = history.dropLast().last ?? first
        rateBefore = min(rate(from: first, to: sample), rate(from: previous, to: sample))
        guard isWorthwhile(sample) else { return .none }
        guard hasTriedControl else {
            hasTriedControl = true
            state = .settling(.control, from: sample.time)
            return .changeControl
        }
        // What is left to lose under the other way is the link's own.
        guard !isControlChanged else { return .none }
        return inviteMore(laneCount: sample.laneCount, at: sample.time)
    }

    private mutating func inviteMore(laneCount: Int, at now: ContinuousClock.Instant) -> Action {
        let step = laneCount == 0 ? Self.firstLanes : maximumLaneCount
        let count = min(step, maximumLaneCount - laneCount)
        guard count > 0 else { return .none }
        wantedLanes = laneCount + count
        state = .settling(.lanes(count), from: now)
        return .invite(count)
    }

    private mutating func judge(_ step: Step, _ since: Sample, _ sample: Sample) -> Action {
        let rate = rate(from: since, to: sample)
        let pays = rate >= rateBefore * (sample.laneCount > Self.firstLanes ? Self.furtherGain : Self.gain)
        switch step {
        case .control where pays:
            isControlChanged = true
            watch(from: sample)
            return .none
        case .control:
            // The lanes may help where it does not.
            watch(from: sample)
            return .restoreControl
        case .lanes where pays && sample.laneCount > 0:
            paidLanes = sample.laneCount
            rest = Self.firstRest
            let before = rateBefore
            rateBefore = rate
            watch(from: sample)
            guard isCollapsing(from: since, to: sample), isWorthwhile(sample), rate > before else { return .none }
            return inviteMore(laneCount: sample.laneCount, at: sample.time)
        case .lanes(let count):
            state = .resting(until: sample.time + rest)
            rest = min(rest * 2, Self.longestRest)
            return .close(count)
        }
    }

    private func rate(from first: Sample, to last: Sample) -> Double {
        let elapsed = (last.time - first.time) / .seconds(1)
        guard elapsed > 0, last.acknowledged > first.acknowledged else { return 0 }
        return Double(last.acknowledged - first.acknowledged) / elapsed
    }

    /// Whether packets are lost, and not just one now and then, although no queue is full.
    ///
    /// A peer that stands still, or a busy machine, makes the kernel ask again for what was not lost.
    private func isCollapsing(from first: Sample, to last: Sample) -> Bool {
        guard last.acknowledged >= first.acknowledged + Self.leastAcknowledged else { return false }
        let again = Double((last.retransmitted - first.retransmitted) * Self.packetLength)
        return again >= Self.leastLoss * Double(last.acknowledged - first.acknowledged)
            && last.roundTrip <= last.shortestRoundTrip * 2 + .milliseconds(10)
    }

    private func isWorthwhile(_ sample: Sample) -> Bool {
        Double(sample.bytesLeft) > rateBefore * (Self.worthwhile / .seconds(1))
    }
}
