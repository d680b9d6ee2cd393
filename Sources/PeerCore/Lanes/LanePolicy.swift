/// Whether a transfer may send bulk data over additional connections, called lanes.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum LaneUse: Hashable, Sendable {
    /// Never; the feature is not announced to the other side.
    case never
    /// As many as increase the rate.
    case whenTheyHelp
    /// That many, from the start of each resource.
    case always(Int)
}

/// Decides when bulk data use more than one connection.
///
/// A pure value. Random loss, as on a bad Wi-Fi, makes one stream collapse: it interprets each loss as a full network and
/// slows down. Then another congestion control helps, or several streams, each of which slows down by itself. On a network
/// that is really full neither helps. It can be detected: packets wait in a queue, so the round trip takes longer than its minimum.
/// So a step is tried only if packets are lost while the round trip is short, and it is kept only if the rate increases.
struct LanePolicy: Sendable {
    /// One measurement.
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
        /// Use the other congestion control (`bbr`); call ``LanePolicy/controlRefused(at:)`` if the system does not allow it.
        case changeControl
        /// Restore the previous congestion control.
        case restoreControl
        /// Open this many more lanes.
        case invite(Int)
        /// Give this many lanes no more work, because they do not help; each is closed when it has sent its share.
        case retire(Int)
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

    /// The factor by which the rate must increase; less could be chance.
    private static let gain = 1.15
    /// The same for additional lanes when some lanes have paid: they cost little then.
    private static let furtherGain = 1.05
    // At one loss in a hundred, one stream uses about a quarter of the capacity. (PeerCore.docc/Inside.md, "Lanes".)
    /// The share of retransmitted bytes below which a stream does not collapse.
    private static let leastLoss = 0.003
    /// The usual length of a packet, in bytes.
    private static let packetLength: UInt64 = 1448
    /// How many bytes must have arrived before their share of retransmissions means anything.
    private static let leastAcknowledged: UInt64 = 32 * 1024
    // It takes up to 2.2 s until the effect of lanes is known: `joining` and `measuring`.
    /// The least remaining time that is worth a step.
    private static let worthwhile: Duration = .seconds(3)
    /// The shortest and the longest time over which the rate before a step is measured.
    private static let shortest: Duration = .milliseconds(240)
    private static let longest: Duration = .seconds(1)
    /// How long a step takes until its effect is measured.
    private static let settling: Duration = .milliseconds(350)
    /// How long lanes may take to join.
    private static let joining: Duration = .milliseconds(1500)
    // At four samples a second, the rate is measured over three of them.
    private static let measuring: Duration = .milliseconds(700)
    // After each step that does not help, the rest is twice as long: trying costs less and less.
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

    init(maximumLaneCount: Int) { self.maximumLaneCount = maximumLaneCount }

    /// Another resource begins; lanes that have paid are requested again at once, if the resource is long enough.
    mutating func began(bytes: UInt64) -> Action {
        history = []
        if case .resting = state { return .none }
        state = .watching
        guard paidLanes > 0, Double(bytes) > rateBefore * (Self.worthwhile / .seconds(1)) else { return .none }
        return .invite(paidLanes)
    }

    /// The system does not allow the other congestion control.
    mutating func controlRefused(at now: ContinuousClock.Instant) -> Action {
        guard case .settling(.control, _) = state else { return .none }
        return inviteMore(laneCount: 0, at: now)
    }

    /// Less is sent than the connections could carry, so what was measured means nothing; a step is measured again.
    mutating func paused(at now: ContinuousClock.Instant) {
        history = []
        switch state {
        case .settling(let step, _), .measuring(let step, _): state = .settling(step, from: now)
        case .watching, .resting: break
        }
    }

    /// Decides by the next sample.
    mutating func sampled(_ sample: Sample) -> Action {
        switch state {
        case .watching:
            history.append(sample)
            while history.count > 2, sample.time - history[0].time > Self.longest { history.removeFirst() }
            return consider(sample)
        case .settling(let step, let from):
            // Lanes whose first packets were lost open late; a measurement without them is useless.
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
        // The beginning is faster until the first loss; that rate is not the one to compare with.
        let previous = history.dropLast().last ?? first
        rateBefore = min(rate(from: first, to: sample), rate(from: previous, to: sample))
        guard isWorthwhile(sample) else { return .none }
        guard hasTriedControl else {
            hasTriedControl = true
            state = .settling(.control, from: sample.time)
            return .changeControl
        }
        // Losses under the other congestion control are those of the network itself.
        guard !isControlChanged else { return .none }
        return inviteMore(laneCount: sample.laneCount, at: sample.time)
    }

    private mutating func inviteMore(laneCount: Int, at now: ContinuousClock.Instant) -> Action {
        // A few lanes first. All of them cost memory at both sides, and a few already show whether lanes help.
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
            // Lanes may help where the other congestion control does not.
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
            return .retire(count)
        }
    }

    private func rate(from first: Sample, to last: Sample) -> Double {
        let elapsed = (last.time - first.time) / .seconds(1)
        guard elapsed > 0, last.acknowledged > first.acknowledged else { return 0 }
        return Double(last.acknowledged - first.acknowledged) / elapsed
    }

    /// Whether packets are lost regularly although no queue is full.
    ///
    /// A stalled peer or a busy machine makes the kernel retransmit packets that were not lost.
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

extension LanePolicy {
    /// What the kernel has counted on all connections of a transfer together.
    struct Statistics: Sendable {
        /// The bytes that have arrived at the peer.
        private(set) var acknowledged: UInt64 = 0
        /// The packets that were sent again.
        private(set) var retransmitted: UInt64 = 0
        /// What was counted on each connection so far.
        private var counted: [Int: SocketTuning.Statistics] = [:]

        /// Adds what a connection has counted since it was last asked.
        ///
        /// The bytes that it counted before the first time are not added: they say nothing of the rate now.
        mutating func count(_ counts: SocketTuning.Statistics, on connection: Int) {
            let before = counted[connection]
            acknowledged += counts.acknowledged - min(counts.acknowledged, before?.acknowledged ?? counts.acknowledged)
            retransmitted += counts.retransmitted - min(counts.retransmitted, before?.retransmitted ?? 0)
            counted[connection] = counts
        }

        /// A connection has ended.
        mutating func forget(_ connection: Int) { counted[connection] = nil }
    }
}
