/// Plans for films: fewer things happen at once than in other plans, so that people can follow them.
extension Plan {
    /// How many peers a film has.
    package static let filmCount = 12
    /// How long bytes take, in milliseconds: long enough for eyes to follow a message.
    static let filmDelay = 300

    /// Makes the plan of a film by chance: twelve peers talk all the time, and one thing after the other happens to them.
    ///
    /// - Parameter seed: Says what happens, in which order, and to whom.
    package init(filmOf seed: UInt64) {
        var random = Chance(seed: seed)
        var cast = Array(0..<Self.filmCount).shuffled(using: &random)
        self.seed = seed
        machineCount = Self.filmCount
        isMesh = true
        invitesAll = true
        outboxLength = 1024 * 1024
        steps = [Step(time: 0, event: .delay(Self.filmDelay))]
        let late = cast.removeLast()
        for (index, machine) in cast.enumerated() {
            let time = index * 400 + random.number(0...300)
            steps += Self.start(machine, at: time)
        }
        var faults = Faults()
        var time = 12_000
        for act in [Act.cable, .kill, .split, .cableAndKill, .resource, .late].shuffled(using: &random) + [.leave] {
            time = faults.add(act, at: time, late: late, &cast, &random)
        }
        end = time
        steps += faults.steps
        steps += Self.talk(until: end - 2_000, &random)
        steps = steps.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    }

    fileprivate static func start(_ machine: Int, at time: Int) -> [Step] {
        [Step(time: time, event: .start(machine)), Step(time: time, event: .announce(machine, true))]
    }

    private static func talk(until end: Int, _ random: inout Chance) -> [Step] {
        var steps: [Step] = []
        var time = 8_000
        while time < end {
            let one = random.number(0...filmCount - 1)
            let others = (0..<filmCount).filter { $0 != one }.shuffled(using: &random)
            let recipients = random.happens(2, in: 3) ? [] : others.prefix(random.number(1...3)).sorted()
            let event = Event.send(one, to: recipients, channel: 0, count: 1, length: random.number(40...2_000))
            steps.append(Step(time: time, event: event))
            time += random.number(500...1_500)
        }
        return steps
    }

    /// What a film has between quiet times.
    private enum Act {
        /// A cable is pulled out, and plugged in again.
        case cable
        /// A program is killed, and starts again.
        case kill
        /// The network falls into two parts, and becomes whole again.
        case split
        /// A program is killed while a cable is out.
        case cableAndKill
        /// A resource is sent, and its connection breaks.
        case resource
        /// A peer joins a group that talks already.
        case late
        /// A peer says goodbye.
        case leave
    }

    private struct Faults {
        var steps: [Step] = []

        /// Adds what happens in an act.
        ///
        /// - Returns: When the next one begins.
        mutating func add(
            _ act: Act,
            at time: Int,
            late: Int,
            _ cast: inout [Int],
            _ random: inout Chance
        ) -> Int {
            let end = time + random.number(7_000...9_000)
            switch act {
            case .cable:
                separate([[cast.removeLast()]], from: time, to: end)
                return end + 7_000
            case .kill:
                kill(cast.removeLast(), from: time, to: end, &random)
                return end + 10_000
            case .split:
                // Neighbours on the circle, so that people see the two parts.
                let first = random.number(0...Plan.filmCount - 1)
                let count = random.number(4...6)
                separate([(first..<first + count).map { $0 % Plan.filmCount }], from: time, to: end)
                return end + 9_000
            case .cableAndKill:
                separate([[cast.removeLast()]], from: time, to: end)
                kill(cast.removeLast(), from: time + 2_000, to: end - 1_000, &random)
                return end + 9_000
            case .resource:
                let (one, two) = (cast.removeLast(), cast.removeLast())
                steps.append(Step(time: time, event: .rate(one, two, 100_000)))
                steps.append(Step(time: time, event: .resource(one, two, 400_000, .wanted)))
                steps.append(Step(time: time + 2_500, event: .cut(one, two, isSilent: false)))
                return time + 14_000
            case .late:
                steps += Plan.start(late, at: time)
                return time + 7_000
            case .leave:
                steps.append(Step(time: time, event: .leave(cast.removeLast())))
                return time + 4_000
            }
        }

        private mutating func separate(_ groups: [[Int]], from start: Int, to end: Int) {
            steps.append(Step(time: start, event: .partition(groups)))
            steps.append(Step(time: end, event: .heal))
        }

        private mutating func kill(_ machine: Int, from start: Int, to end: Int, _ random: inout Chance) {
            steps.append(Step(time: start, event: .crash(machine, isSilent: random.happens(1, in: 2))))
            steps += Plan.start(machine, at: end)
        }
    }
}
