import NearbyPeers
import PeerCore

/// What must hold when a world has become whole.
struct Checks {
    let ledger: Ledger
    /// The programs that run, in order: of two programs of a machine, the second one.
    let alive: [Program]
    /// Other programs that run, with the keys of these.
    let firstPrograms: [Program]
    /// The machines whose only program has said goodbye.
    let left: Set<Int>
    let ids: [PeerID]
    let plan: Plan
    private var problems: [String] = []

    init(ledger: Ledger, alive: [Program], firstPrograms: [Program], left: Set<Int>, ids: [PeerID], plan: Plan) {
        self.ledger = ledger
        self.alive = alive
        self.firstPrograms = firstPrograms
        self.left = left
        self.ids = ids
        self.plan = plan
    }

    /// Checks everything.
    ///
    /// - Returns: What does not hold; empty if the world is whole.
    mutating func run() -> [String] {
        problems = []
        checkMissed()
        for sender in alive {
            for receiver in alive where sender.run != receiver.run {
                checkMessages(sender, receiver)
                checkStreams(sender, receiver)
                checkResources(sender, receiver)
            }
        }
        checkLinks()
        checkDepartures()
        return problems
    }

    /// S2: what a sender was told is missed is never read.
    private mutating func checkMissed() {
        let found = ledger.read { state in
            state.read.flatMap { run, series in
                series.flatMap { series, numbers in
                    numbers.compactMap { number -> String? in
                        let address = Ledger.Address(series: series, number: number, receiver: run.machine)
                        return state.outcomes[address] == false
                            ? "S2: \(run) read \(number) of \(series), which was missed" : nil
                    }
                }
            }
        }
        problems += found.sorted()
    }

    /// S1 and L2: between two runs whose link never ended, everything that was taken is read.
    private mutating func checkMessages(_ sender: Program, _ receiver: Program) {
        let (from, to) = (sender.run, receiver.run)
        let found = ledger.read { state -> [String] in
            guard !state.isBroken(from, to), from.number == 0 || to.number == 0 else { return [] }
            return (0..<2).compactMap { channel in
                let series = Ledger.Series(sender: from, channel: channel)
                let taken = state.outcomes.filter {
                    $0.key.series == series && $0.key.receiver == to.machine && $0.value
                }
                let read = state.read[to]?[series] ?? []
                let expected = taken.map(\.key.number).sorted()
                return read == expected
                    ? nil : "L2: \(to) read \(read.count) of \(expected.count) messages of \(series)"
            }
        }
        problems += found
    }

    /// The same for streams that were written to their ends.
    private mutating func checkStreams(_ sender: Program, _ receiver: Program) {
        let (from, to) = (sender.run, receiver.run)
        let missing = ledger.read { state -> [Flow] in
            guard !state.isBroken(from, to), from.number == 0 || to.number == 0 else { return [] }
            let sent = state.sentFlows.filter { $0.key.sender == from && $0.value == to.machine }.map(\.key)
            return sent.filter { state.readFlows[to]?.contains($0) != true }.sorted { $0.number < $1.number }
        }
        for flow in missing { problems.append("L2: \(to) has not read \(flow)") }
    }

    /// S7 and L2: a resource is received, or both sides know that it is not.
    private mutating func checkResources(_ sender: Program, _ receiver: Program) {
        let (from, to) = (sender.run, receiver.run)
        problems += ledger.read { state -> [String] in
            guard !state.isBroken(from, to), from.number == 0 || to.number == 0 else { return [] }
            let offered = state.shipments.filter { $0.key.sender == from && $0.value.receiver == to.machine }
            return offered.sorted { $0.key.number < $1.key.number }.compactMap { flow, shipment in
                let isReceived = state.receivedShipments[to]?.contains(flow) == true
                return shipment.problem(isReceived: isReceived).map { "\($0): \(flow) for \(to)" }
            }
        }
    }

    /// L1: if somebody has heard that a member leaves, all have, and nobody waits for it.
    private mutating func checkDepartures() {
        // Of two programs with one key, the others are linked with one, and the other one hears nothing.
        guard plan.isMesh, !plan.hasDisconnections, firstPrograms.isEmpty else { return }
        for machine in left.sorted() {
            let states = alive.map { $0.session?.peer(ids[machine])?.state }
            let isKnown = states.contains { if case .disconnected(.left)? = $0 { true } else { false } }
            guard isKnown else { continue }
            for (program, state) in zip(alive, states) {
                switch state {
                case .disconnected, nil: break
                case .connecting?, .connected?, .reconnecting?, .unreachable?:
                    problems.append("L1: \(program.run) has not heard that \(machine) has left: \(state?.word ?? "")")
                }
            }
        }
    }

    /// L1: everybody is linked with everybody, but for those who were sent away, and all say the same of it.
    private mutating func checkLinks() {
        // Whom one program of a machine has sent away, another one may like.
        guard firstPrograms.isEmpty || !plan.hasDisconnections else { return }
        // Nobody knows what has become of those who were sent away and then invited.
        guard alive.allSatisfy(\.invitedAgain.isEmpty) else { return }
        let machines = Set(alive.map { ids[$0.run.machine] })
        for program in alive {
            guard let session = program.session else {
                problems.append("L1: \(program.run) has no session")
                continue
            }
            let expected = Set(
                alive.filter { areWelcome($0, program) && $0.run != program.run }.map { ids[$0.run.machine] }
            )
            // Of two programs with one key, the one that came last counts, for each peer by itself.
            let others = firstPrograms.filter { $0.run.machine == program.run.machine }
            let connected = others.reduce(into: session.connectedPeers) { peers, other in
                peers.formUnion(other.session?.connectedPeers ?? [])
            }
            if connected != expected {
                let missing = alive.filter { expected.subtracting(connected).contains(ids[$0.run.machine]) }.map(\.run)
                let states = missing.map { "\($0) is \(session.peer(ids[$0.machine])?.state.word ?? "unknown")" }
                problems.append(
                    "L1: \(program.run) lacks \(states), and has \(connected.subtracting(expected).count) too many"
                )
            }
            guard plan.isMesh, firstPrograms.isEmpty, alive.allSatisfy(\.blocked.isEmpty) else { continue }
            for (id, links) in session.links where machines.contains(id) {
                if links.intersection(machines) != machines.subtracting([id]) {
                    problems.append("L1: \(program.run) has not heard of all links of another one")
                }
            }
        }
    }

    private func areWelcome(_ one: Program, _ two: Program) -> Bool {
        !one.blocked.contains(two.run.machine) && !two.blocked.contains(one.run.machine)
    }
}
