import PeerTestSupport

@testable import PeerCore

/// Receivers of one sender on simulated networks, in virtual time.
///
/// All that are sent something get the same rate, as TCP divides a network, but no more than their own limits. A byte for a slow radio
/// takes more of the network's time.
struct TurnWorld {
    struct Receiver {
        var name = ""
        var network = "wlan0"
        /// When it comes, in seconds.
        var start = 0.0
        var bytes: Double
        /// The bytes per second that the network carries if only this receiver is sent something.
        var radio: Double
        /// The bytes per second that it can take, such as those of its own network or disk.
        var limit = Double.infinity
        /// The bytes of a piece, which count when it is sent as a whole.
        var piece = 1.0
        /// When it stops to take anything, and when it goes away.
        var stallsAt = Double.infinity
        var leavesAt = Double.infinity
    }

    /// What became of a receiver.
    struct Result {
        /// When it had everything, in seconds since it came; nil if it left before.
        var wait: Double?
        /// The longest time in which it got less than 64 KiB, in seconds.
        var longestGap = 0.0
        /// The places that it was told.
        var places: [Int] = []
        /// The time that it was told halfway, and how long it took.
        var told: [(said: Double, took: Double)] = []
    }

    private static let step = 0.05

    var receivers: [Receiver]
    /// How much rates vary, by chance.
    var noise = 0.0
    private var random: SeededGenerator

    init(_ receivers: [Receiver], noise: Double = 0, seed: UInt64 = 1) {
        self.receivers = receivers
        self.noise = noise
        random = SeededGenerator(seed: seed)
    }

    /// Serves all receivers at once.
    mutating func allAtOnce() -> [Result] { run(inTurn: false) }

    /// Serves them in turn.
    mutating func inTurn() -> [Result] { run(inTurn: true) }

    private mutating func run(inTurn: Bool) -> [Result] {
        let begin = ContinuousClock.now
        var machine = TurnStateMachine()
        var results = receivers.map { _ in Result() }
        var left = receivers.map(\.bytes)
        var numbers: [Int?] = receivers.map { _ in nil }
        var unfinished = receivers.map { _ in 0.0 }
        var gaps = receivers.map { _ in (bytes: 0.0, since: 0.0) }
        var said: [[(time: Double, left: Double)]] = receivers.map { _ in [] }
        var time = 0.0
        var nextTick = 0.0
        while time < 100_000 {
            let now = begin + .seconds(time)
            for index in receivers.indices where numbers[index] == nil && receivers[index].start <= time {
                guard left[index] > 0 else { continue }
                let number = machine.joined(on: receivers[index].network, left: UInt64(left[index]), at: now)
                machine[number]?.set(number, isReady: true, at: now)
                numbers[index] = number
                gaps[index] = (0, time)
            }
            for index in receivers.indices where receivers[index].leavesAt <= time && left[index] > 0 {
                if let number = numbers[index] { machine.left(number, at: now) }
                left[index] = 0
            }
            if time >= nextTick {
                machine.tick(at: now)
                nextTick = time + 0.25
                for index in receivers.indices where left[index] > 0 {
                    guard let number = numbers[index], let turn = machine[number]?.turn(of: number) else { continue }
                    if results[index].places.last != turn.place { results[index].places.append(turn.place) }
                    if let seconds = turn.timeLeft { said[index].append((time, seconds / .seconds(1))) }
                }
            }
            let present = receivers.indices.filter { numbers[$0] != nil && left[$0] > 0 }
            guard !present.isEmpty || receivers.contains(where: { $0.start > time }) else { break }
            for (index, bytes) in send(present, left, numbers, &machine, inTurn, time) {
                left[index] = max(0, left[index] - bytes)
                unfinished[index] += bytes
                let isFinished = unfinished[index] >= receivers[index].piece || left[index] == 0
                if let number = numbers[index], isFinished {
                    machine[number]?.sent(Int(unfinished[index]), to: number, left: UInt64(left[index]))
                    unfinished[index] = 0
                }
                gaps[index].bytes += bytes
                if gaps[index].bytes >= 65_536 {
                    results[index].longestGap = max(results[index].longestGap, time - gaps[index].since)
                    gaps[index] = (0, time)
                }
            }
            time += Self.step
            for index in present where left[index] == 0 {
                results[index].wait = time - receivers[index].start
                results[index].told = said[index].map { ($0.left, time - $0.time) }
                if let number = numbers[index] { machine.left(number, at: begin + .seconds(time)) }
            }
        }
        return results
    }

    /// The bytes of one step.
    private mutating func send(
        _ present: [Int],
        _ left: [Double],
        _ numbers: [Int?],
        _ machine: inout TurnStateMachine,
        _ inTurn: Bool,
        _ time: Double
    ) -> [Int: Double] {
        var sent: [Int: Double] = [:]
        for network in Set(present.map { receivers[$0].network }).sorted() {
            var airTime = Self.step
            var active: [Int] = []
            for index in present where receivers[index].network == network {
                guard time < receivers[index].stallsAt, let number = numbers[index] else { continue }
                guard inTurn, machine[number]?.served.contains(number) != true else {
                    active.append(index)
                    continue
                }
                let most = min(left[index], receivers[index].limit * Self.step)
                var bytes = 0.0
                while bytes < most, machine[number]?.take(NetworkTurns.waitingLength, for: number) == true {
                    bytes += Double(NetworkTurns.waitingLength)
                }
                sent[index] = min(bytes, left[index])
                airTime -= (sent[index] ?? 0) / receivers[index].radio
            }
            // The same rate for all, but no more than each can take.
            while !active.isEmpty, airTime > 0 {
                let rate = airTime / active.reduce(0) { $0 + 1 / receivers[$1].radio }
                let limited = active.filter { receivers[$0].limit * Self.step <= rate }
                for index in limited.isEmpty ? active : limited {
                    let most = limited.isEmpty ? rate : receivers[index].limit * Self.step
                    let factor = 1 + noise * (Double(random.next() % 2000) / 1000 - 1)
                    sent[index] = min(left[index], most * factor)
                    airTime -= most / receivers[index].radio
                }
                if limited.isEmpty { break }
                active.removeAll(where: limited.contains)
            }
        }
        return sent
    }
}

extension [TurnWorld.Result] {
    /// The mean time until a receiver had everything.
    var meanWait: Double {
        let waits = compactMap(\.wait)
        return waits.reduce(0, +) / Double(Swift.max(1, waits.count))
    }

    /// When the last one had everything.
    var last: Double { compactMap(\.wait).max() ?? 0 }
}
