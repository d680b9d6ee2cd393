import PeerProtocol

/// What happens in a simulated world, before anything has happened: a seed makes it, and it can be cut down.
package struct Plan: Sendable, CustomStringConvertible {
    /// Something that happens at a time.
    package struct Step: Sendable, CustomStringConvertible {
        /// Milliseconds since the beginning.
        package var time: Int
        package var event: Event

        package var description: String {
            "\(String(repeating: " ", count: max(0, 7 - "\(time)".count)))\(time)  \(event)"
        }
    }

    /// What happens.
    ///
    /// Machines are numbered from 0.
    package enum Event: Hashable, Sendable {
        /// A machine's program starts; nothing happens if it runs.
        case start(Int)
        /// A second program of a machine that runs one starts, with the same key; it takes the place of the first.
        case startSecond(Int)
        /// It ends without a word: its peers notice at once, or only when nothing comes any more.
        case crash(Int, isSilent: Bool)
        /// It says goodbye.
        case leave(Int)
        /// It announces itself, or stops that.
        case announce(Int, Bool)
        /// It invites another one by its address.
        case invite(Int, Int)
        /// It ends the link with another one, and refuses it.
        case disconnect(Int, Int)
        /// It sends so many messages of so many bytes on a channel; to all if nobody is named.
        case send(Int, to: [Int], channel: Int, count: Int, length: Int)
        /// It asks another one.
        case request(Int, Int)
        /// It opens a stream to another one, and writes so many bytes.
        case stream(Int, Int, Int)
        /// It offers another one a resource of so many bytes.
        case resource(Int, Int, Int, Fate)
        /// It reads its messages at once, slowly, or not at all.
        case read(Int, Reading)
        /// All connections between two machines end.
        case cut(Int, Int, isSilent: Bool)
        /// Only machines of one group reach one another; a machine may be in several.
        case partition([[Int]])
        /// A machine cannot open connections to another one.
        case block(Int, Int)
        /// Everybody reaches everybody.
        case heal
        /// Bytes take so many milliseconds.
        case delay(Int)
        /// Two machines send at most so many bytes per second to one another; nil for any number.
        case rate(Int, Int, Int?)
    }

    /// How an application reads.
    package enum Reading: Hashable, Sendable {
        case atOnce
        case slowly
        case never
    }

    /// What becomes of a resource that is offered.
    package enum Fate: Hashable, Sendable {
        /// It is received.
        case wanted
        /// It is declined.
        case declined
        /// The sender gives it up after so many milliseconds.
        case cancelled(Int)
        /// The receiver gives it up after so many milliseconds.
        case abandoned(Int)
    }

    package var seed: UInt64
    package var machineCount: Int
    /// Whether members are introduced.
    package var isMesh: Bool
    /// Whether everybody invites everybody that discovery sees; else only whom the plan says, and introductions do the rest.
    package var invitesAll: Bool
    /// How many bytes of messages wait to be sent on one channel.
    package var outboxLength: Int
    package var steps: [Step]
    /// When the faults end, in milliseconds.
    package var end: Int

    /// The longest message.
    static let maximumLength = 256 * 1024

    /// How many bytes that a sender was told are taken may wait on a channel: in the outbox, on the way until they are acknowledged,
    /// and in the window of the receiver, with what its reader has taken ahead; a message beyond each bound.
    var maximumWaitingLength: Int {
        outboxLength + LinkLimits.standard.maximumKeptLength + Self.maximumLength + LinkLimits.maximumAheadLength
            + 3 * Self.maximumLength
    }

    /// Whether two programs of a machine run at once.
    var hasSecondPrograms: Bool {
        steps.contains { if case .startSecond = $0.event { true } else { false } }
    }

    /// Whether a program sends somebody away.
    var hasDisconnections: Bool {
        steps.contains { if case .disconnect = $0.event { true } else { false } }
    }

    package var description: String {
        let head =
            "seed \(seed): \(machineCount) machines, \(isMesh ? "mesh" : "star"), \(invitesAll ? "all invite all" : "few invitations"), faults until \(end) ms"
        return ([head] + steps.map(\.description)).joined(separator: "\n")
    }
}

extension Plan {
    /// Makes a plan by chance; that of a seed without resources has the same other steps.
    ///
    /// - Parameters:
    ///   - seed: Says what happens.
    ///   - hasResources: Whether resources are sent.
    ///   - maximumCount: How many machines there are at most; a larger group is halved.
    package init(seed: UInt64, hasResources: Bool = true, maximumCount: Int = 12) {
        var random = Chance(seed: seed)
        self.seed = seed
        let usual = random.pick(from: [2, 2, 3, 3, 3, 4, 4, 5, 6, 8])
        // Few, for the work grows with the square.
        machineCount = seed % 100 == 55 ? random.number(9...12) : usual
        while machineCount > maximumCount { machineCount /= 2 }
        invitesAll = random.happens(1, in: 2)
        isMesh = !invitesAll || !random.happens(1, in: 6)
        end = random.number(10_000...45_000)
        outboxLength = random.pick(from: [64 * 1024, 1024 * 1024])
        steps = []
        for machine in 0..<machineCount {
            let start = random.happens(1, in: 2) ? 0 : random.number(0...end / 2)
            steps.append(Step(time: start, event: .start(machine)))
            if random.happens(2, in: 3) || machineCount > 5 {
                let time = random.happens(1, in: 2) ? start : random.number(start...end)
                steps.append(Step(time: time, event: .announce(machine, true)))
            }
        }
        for _ in 0..<random.number(4...10 + 3 * machineCount) {
            var event = Self.event(machineCount, &random)
            if !invitesAll {
                switch event {
                // Without invitations of their own, a program that was sent away would stay away from all.
                case .disconnect(let one, let two): event = .invite(one, two)
                // A peer that is linked with the first program would have no reason to meet the second one.
                case .startSecond(let machine): event = .start(machine)
                default: break
                }
            }
            steps.append(Step(time: random.number(0...end), event: event))
        }
        if hasResources { steps += Self.resources(seed, machineCount, end) }
        // Stable: what happens at one time happens in the order in which it was made.
        steps = steps.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    }

    private static func event(_ count: Int, _ random: inout Chance) -> Event {
        let one = random.number(0...count - 1)
        let two = (one + random.number(1...count - 1)) % count
        switch random.number(0...43) {
        case 0...3: return .invite(one, two)
        case 4...12: return send(one, count, &random)
        case 13...14: return .request(one, two)
        case 15...16: return .read(one, random.pick(from: [.atOnce, .slowly, .never]))
        case 17...20: return .cut(one, two, isSilent: random.happens(1, in: 2))
        case 21...23: return .partition(groups(count, &random))
        case 24: return .block(one, two)
        case 25...27: return .heal
        case 28...29: return .crash(one, isSilent: random.happens(1, in: 2))
        case 30...33: return .start(one)
        case 34: return .leave(one)
        case 35: return .announce(one, random.happens(2, in: 3))
        case 36: return .disconnect(one, two)
        case 37...38: return .delay(random.pick(from: [0, 1, 20, 150, 300]))
        case 39: return .startSecond(one)
        case 40...42: return .stream(one, two, random.pick(from: [0, 100, 60_000, 300_000]))
        default: return .rate(one, two, random.pick(from: [nil, 5_000, 100_000]))
        }
    }

    private static func resources(_ seed: UInt64, _ count: Int, _ end: Int) -> [Step] {
        var random = Chance(seed: ~seed)
        return (0..<random.number(0...8)).flatMap { _ -> [Step] in
            let one = random.number(0...count - 1)
            let two = (one + random.number(1...count - 1)) % count
            let length = random.pick(from: [0, 100, 60_000, 300_000, 1_000_000])
            let delay = random.pick(from: [0, 1, 100, 2_000])
            let fates: [Fate] = [.wanted, .wanted, .wanted, .declined, .cancelled(delay), .abandoned(delay)]
            let time = random.number(0...end)
            let offer = Step(time: time, event: .resource(one, two, length, random.pick(from: fates)))
            // Without a rate, all of it arrives at once, and nothing can interrupt it.
            guard random.happens(1, in: 2) else { return [offer] }
            let cut = Event.cut(one, two, isSilent: random.happens(1, in: 2))
            return [
                Step(time: time, event: .rate(one, two, 100_000)), offer,
                Step(time: min(end, time + random.number(1...5_000)), event: cut),
            ]
        }
    }

    private static func send(_ one: Int, _ count: Int, _ random: inout Chance) -> Event {
        let others = (0..<count).filter { $0 != one }
        let recipients = random.happens(1, in: 2) ? [] : others.filter { _ in random.happens(1, in: 2) }
        return .send(
            one,
            to: recipients,
            channel: random.number(0...1),
            count: random.number(1...20),
            length: random.pick(from: [40, 40, 300, 3_000, 20_000, 200_000])
        )
    }

    private static func groups(_ count: Int, _ random: inout Chance) -> [[Int]] {
        var groups: [[Int]] = [[], []]
        for machine in 0..<count {
            let place = random.number(0...5)
            // A machine in both groups makes a network that is not transitive.
            if place == 5 { groups[0].append(machine) }
            groups[place == 5 ? 1 : place % 2].append(machine)
        }
        return groups
    }
}

/// Random numbers that are the same each time. (SplitMix64.)
struct Chance: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0xD134_2543_DE82_EF95 &+ 1 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        let one = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        let two = (one ^ (one >> 27)) &* 0x94D0_49BB_1331_11EB
        return two ^ (two >> 31)
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    mutating func happens(_ times: Int, in all: Int) -> Bool { number(1...all) <= times }

    mutating func pick<Element>(from values: [Element]) -> Element { values[number(0...values.count - 1)] }
}
