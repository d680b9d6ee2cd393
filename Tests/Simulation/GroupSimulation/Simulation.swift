import Logging
import NIOConcurrencyHelpers
import NearbyPeers
import PeerCore
import PeerTesting

/// A world of machines on a network in memory: the same plan always leads to the same world.
///
/// What runs is the library itself. Only the network, the clock and the random numbers are simulated, so time costs nothing.
package final class Simulation: Sendable {
    /// What became of a plan.
    package struct Report: Sendable {
        /// What does not hold; empty if all is well.
        package var problems: [String]
        /// The digest of everything that the applications saw, in order.
        package var digest: UInt64
        /// How many messages were read.
        package var messageCount: Int
        /// How many resources were received.
        package var resourceCount: Int
        /// How many links there were in the end.
        package var linkCount: Int
    }

    struct State {
        var programs: [Int: [Program]] = [:]
        var tasks: [Run: Task<Void, Never>] = [:]
        /// The runs that were told to end.
        var ended: Set<Run> = []
        /// The machines whose programs have said goodbye.
        var left: Set<Int> = []
    }

    let network: InMemoryNetwork
    let ledger: Ledger
    let plan: Plan
    /// Whether the logs of the sessions are printed.
    let isLogged: Bool
    /// Whether the world is looked at as soon as it is whole, not only in the end.
    let isBrief: Bool
    let application: PeerServiceType
    let machines: [PeerID: Int]
    let ids: [PeerID]
    let box = NIOLockedValueBox(State())

    /// How many seconds a world without faults has for becoming whole.
    private static let quiet = 90
    /// How many seconds must pass without a new connection.
    private static let rest = 30

    /// Creates the world of a plan.
    ///
    /// - Parameters:
    ///   - plan: What happens in it.
    ///   - isLogged: Whether the logs of its sessions are printed.
    ///   - isBrief: Whether the time without faults ends as soon as the world is whole. That halves the work, but does not
    ///     show what would go wrong later, nor whether the world comes to rest (L3).
    ///   - isFilmed: Whether what happens is kept for a ``Film``.
    /// - Throws: `PeerError` if the keys of the machines cannot be created.
    package init(_ plan: Plan, isLogged: Bool = false, isBrief: Bool = false, isFilmed: Bool = false) throws {
        self.plan = plan
        self.isLogged = isLogged
        self.isBrief = isBrief
        network = InMemoryNetwork(seed: plan.seed)
        ledger = Ledger(recording: isFilmed ? Recording(network.clock) : nil)
        application = try PeerServiceType(validating: "simulation")
        var ids: [PeerID] = []
        for machine in 0..<plan.machineCount {
            let identity = try KnownIdentities.shared.identity("\(machine)", application)
            network.use(identity, for: "\(machine)")
            ids.append(identity.id)
        }
        self.ids = ids
        machines = Dictionary(ids.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }

    /// The machine with an id.
    func machine(_ id: PeerID) -> Int? { machines[id] }

    /// Does what the plan says, then lets the world become whole, and looks at it.
    package func run() async -> Report {
        var now = 0
        for step in plan.steps {
            await network.clock.run(for: .milliseconds(step.time - now))
            now = step.time
            await perform(step.event)
        }
        await network.clock.run(for: .milliseconds(max(0, plan.end - now)))
        await settle()
        for problem in await becomeWhole() { ledger.fail(problem) }
        let alive = aliveNow
        let all = allPrograms
        // On the executor, or an actor would run elsewhere for a moment.
        await Task(executorPreference: network.executor) {
            for program in alive { await self.checkCarriers(program) }
        }.value
        await onExecutor { for program in all { program.end() } }
        await network.clock.run(for: .seconds(30))
        for program in all where !program.hasEnded { ledger.fail("S6: the session of \(program.run) does not end") }
        for task in box.withLockedValue({ Array($0.tasks.values) }) { task.cancel() }
        await network.clock.run(for: .seconds(30))
        return ledger.read { state in
            Report(
                problems: state.problems,
                digest: state.trace.digest,
                messageCount: state.read.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } },
                resourceCount: state.receivedShipments.values.reduce(0) { $0 + $1.count },
                linkCount: alive.reduce(0) { $0 + ($1.session?.connectedPeers.count ?? 0) } / 2
            )
        }
    }

    /// Waits until the world is whole, or until its time is over.
    ///
    /// - Returns: What does not hold then.
    private func becomeWhole() async -> [String] {
        guard isBrief else {
            await network.clock.run(for: .seconds(Self.quiet))
            return problemsNow + restProblems
        }
        for _ in 0..<Self.quiet {
            await network.clock.run(for: .seconds(1))
            if problemsNow.isEmpty { break }
        }
        return problemsNow
    }

    /// What does not hold in a world that should be whole.
    private var problemsNow: [String] {
        let alive = aliveNow
        var checks = Checks(
            ledger: ledger,
            alive: alive,
            firstPrograms: allPrograms.filter { !$0.hasEnded && !alive.map(\.run).contains($0.run) },
            left: leftForGood,
            ids: ids,
            plan: plan
        )
        return checks.run()
    }

    private var allPrograms: [Program] {
        box.withLockedValue { $0.programs.values.flatMap { $0 } }.sorted { $0.run < $1.run }
    }

    /// A pair has at most one connection that carries its link.
    private func checkCarriers(_ program: Program) async {
        guard let session = program.session else { return }
        for (peer, count) in await session.carrierCounts() where count > 1 {
            ledger.fail("S4: \(program.run) has \(count) connections for the link with \(machine(peer) ?? -1)")
        }
    }

    /// L3: no connection is opened in the last 30 s.
    private var restProblems: [String] {
        // A program that invites all that it finds also invites those that have sent it away.
        guard !plan.hasDisconnections else { return [] }
        let start = network.clock.elapsed - .seconds(Self.rest)
        let openings = network.trace.filter { $0.time > start && $0.frame == "hello" }
        // Two hellos for each connection. A second program may come late, but not again and again.
        guard openings.count > (plan.hasSecondPrograms ? 2 : 0), let first = openings.first else { return [] }
        return ["L3: connections are still opened in the end, \(openings.count / 2) of them: \(first)"]
    }

    /// The machines whose only program has said goodbye.
    private var leftForGood: Set<Int> {
        box.withLockedValue { state in Set(state.programs.filter { $0.value.count == 1 }.keys).intersection(state.left)
        }
    }

    /// The programs that run and were not told to end; of two programs of a machine, the second one.
    var aliveNow: [Program] {
        box.withLockedValue { state in
            state.programs.values.compactMap(\.last).filter { !$0.hasEnded && !state.ended.contains($0.run) }
        }
        .sorted { $0.run < $1.run }
    }

    func program(_ machine: Int) -> Program? { aliveNow.first { $0.run.machine == machine } }

    /// Runs something as the only thing that happens.
    func onExecutor(_ body: @escaping @Sendable () -> Void) async {
        await Task(executorPreference: network.executor) { body() }.value
    }

    /// Ends all faults.
    private func settle() async {
        await onExecutor { [self] in
            performNow(.heal)
            network.setDelay(.zero)
            for one in 0..<plan.machineCount {
                for two in 0..<one { network.setRate(nil, between: "\(one)", "\(two)") }
            }
            for program in aliveNow {
                program.read(.atOnce)
                program.announce(true)
            }
            // Everybody meets one of them, and hears of the others from it.
            guard !plan.invitesAll, let first = aliveNow.first?.run.machine else { return }
            for program in aliveNow.dropFirst() { invite(program.run.machine, first) }
        }
    }
}

/// The keys of simulated machines, which are the same in all simulations.
private final class KnownIdentities: Sendable {
    static let shared = KnownIdentities()
    private let identities = NIOLockedValueBox<[String: PeerIdentity]>([:])

    func identity(_ name: String, _ application: PeerServiceType) throws -> PeerIdentity {
        try identities.withLockedValue { identities in
            if let identity = identities[name] { return identity }
            let identity = try PeerIdentity.known(by: "simulated \(name)", for: application)
            identities[name] = identity
            return identity
        }
    }
}
