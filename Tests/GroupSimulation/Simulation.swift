import Logging
import NIOConcurrencyHelpers
import NIOCore
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
        /// How many links there were in the end.
        package var linkCount: Int
    }

    private struct State {
        var programs: [Int: [Program]] = [:]
        var tasks: [Run: Task<Void, Never>] = [:]
        /// The runs that were told to end.
        var ended: Set<Run> = []
    }

    let network: InMemoryNetwork
    let ledger = Ledger()
    private let plan: Plan
    /// Whether the logs of the sessions are printed.
    private let isLogged: Bool
    private let application: PeerServiceType
    private let machines: [PeerID: Int]
    private let ids: [PeerID]
    private let box = NIOLockedValueBox(State())

    /// How long a world without faults has for becoming whole.
    private static let quiet: Duration = .seconds(90)

    /// Creates the world of a plan; prints the logs of its sessions if `isLogged` is true.
    ///
    /// - Throws: `PeerError` if the keys of the machines cannot be created.
    package init(_ plan: Plan, isLogged: Bool = false) throws {
        self.plan = plan
        self.isLogged = isLogged
        network = InMemoryNetwork(seed: plan.seed)
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
        await network.clock.run(for: Self.quiet)
        let alive = aliveNow
        Checks(ledger: ledger, alive: alive, ids: ids, isMesh: plan.isMesh).run()
        // On the executor, or an actor would run elsewhere for a moment.
        await Task(executorPreference: network.executor) {
            for program in alive { await self.checkCarriers(program) }
        }.value
        await onExecutor { for program in alive { program.end() } }
        await network.clock.run(for: .seconds(30))
        for program in box.withLockedValue({ $0.programs.values.flatMap { $0 } }).sorted(by: { $0.run < $1.run })
        where !program.hasEnded {
            ledger.fail("S6: the session of \(program.run) does not end")
        }
        for task in box.withLockedValue({ Array($0.tasks.values) }) { task.cancel() }
        await network.clock.run(for: .seconds(30))
        return ledger.read { state in
            Report(
                problems: state.problems,
                digest: state.trace.digest,
                messageCount: state.read.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } },
                linkCount: alive.reduce(0) { $0 + ($1.session?.connectedPeers.count ?? 0) } / 2
            )
        }
    }

    /// A pair has at most one connection that carries its link.
    private func checkCarriers(_ program: Program) async {
        guard let session = program.session else { return }
        for (peer, count) in await session.carrierCounts() where count > 1 {
            ledger.fail("S4: \(program.run) has \(count) connections for the link with \(machine(peer) ?? -1)")
        }
    }

    /// The programs that run and were not told to end.
    private var aliveNow: [Program] {
        box.withLockedValue { state in
            state.programs.values.compactMap(\.last).filter { !$0.hasEnded && !state.ended.contains($0.run) }
        }
        .sorted { $0.run < $1.run }
    }

    private func program(_ machine: Int) -> Program? { aliveNow.first { $0.run.machine == machine } }

    /// Runs something as the only thing that happens.
    private func onExecutor(_ body: @escaping @Sendable () -> Void) async {
        await Task(executorPreference: network.executor) { body() }.value
    }

    private func perform(_ event: Plan.Event) async {
        await onExecutor { self.performNow(event) }
    }

    private func performNow(_ event: Plan.Event) {
        switch event {
        case .start(let machine): start(machine)
        case .crash(let machine, let isSilent): crash(machine, isSilent: isSilent)
        case .leave(let machine):
            guard let program = program(machine) else { return }
            box.withLockedValue { _ = $0.ended.insert(program.run) }
            program.end()
        case .announce(let machine, let isAnnounced): program(machine)?.announce(isAnnounced)
        case .invite(let one, let two): invite(one, two)
        case .disconnect(let one, let two):
            guard let program = program(one) else { return }
            program.block(two)
            let id = ids[two]
            program.add { _, session in await session.disconnect(id, telling: "") }
        case .send(let one, let recipients, let channel, let count, let length):
            for _ in 0..<count { send(one, recipients, channel, length) }
        case .request(let one, let two): request(one, two)
        case .read(let machine, let reading): program(machine)?.read(reading)
        case .cut(let one, let two, let isSilent): network.cut("\(one)", "\(two)", silently: isSilent)
        case .partition(let groups): network.partition(groups.map { Set($0.map { "\($0)" }) })
        case .block(let one, let two): network.block(from: "\(one)", to: "\(two)")
        case .heal: network.heal()
        case .delay(let delay): network.setDelay(.milliseconds(delay))
        case .rate(let one, let two, let rate): network.setRate(rate, between: "\(one)", "\(two)")
        }
    }

    private func start(_ machine: Int) {
        guard program(machine) == nil else { return }
        let number = box.withLockedValue { $0.programs[machine]?.count ?? 0 }
        let program = Program(Run(machine: machine, number: number), self)
        guard let local = try? network.local("\(machine)", application: application) else {
            return ledger.fail("machine \(machine) has no key")
        }
        var configuration = PeerSession.Configuration(local: local, requests: [Question.self])
        configuration.admission = .everyone
        configuration.invites = plan.invitesAll ? .everyoneFound : .manually
        configuration.topology = plan.isMesh ? .mesh : .star
        configuration.logger = Logger(label: "\(machine)") { [isLogged, network] _ in
            let log: any LogHandler =
                isLogged ? SimulationLog(clock: network.clock, machine: machine) : SwiftLogNoOpLogHandler()
            return log
        }
        configuration.logger.logLevel = .trace
        let task = Task(executorPreference: network.executor) { [configuration] in await program.main(configuration) }
        box.withLockedValue { state in
            state.programs[machine, default: []].append(program)
            state.tasks[program.run] = task
        }
    }

    private func crash(_ machine: Int, isSilent: Bool) {
        guard let program = program(machine) else { return }
        for other in 0..<plan.machineCount where other != machine {
            network.cut("\(machine)", "\(other)", silently: isSilent)
        }
        box.withLockedValue { state in
            state.ended.insert(program.run)
            state.tasks[program.run]?.cancel()
        }
    }

    private func invite(_ one: Int, _ two: Int) {
        guard let program = program(one), let invited = self.program(two)?.session else { return }
        program.add { program, session in
            let port = await invited.port
            guard let host = try? self.network.address(of: "\(two)", port: port).ipAddress else { return }
            let start = self.network.clock.elapsed
            var outcome = "linked"
            do throws(PeerError) {
                try await session.invite(at: [PeerAddress(host: host, port: port)], timeout: .seconds(10))
            } catch {
                outcome = "\(error.code): \(error.message)"
            }
            self.checkDeadline(since: start, .seconds(10), "invitation by \(program.run) (\(outcome))")
        }
    }

    private func request(_ one: Int, _ two: Int) {
        let id = ids[two]
        program(one)?.add { program, session in
            let start = self.network.clock.elapsed
            let answer = try? await session.request(Question(number: one), from: id, timeout: .seconds(5))
            if let answer, answer != one + 1 { self.ledger.fail("S1: \(program.run) got a wrong answer") }
            self.checkDeadline(since: start, .seconds(5), "request by \(program.run)")
        }
    }

    private func checkDeadline(since start: Duration, _ limit: Duration, _ what: String) {
        let duration = network.clock.elapsed - start
        if duration > limit + .seconds(1) { ledger.fail("S6: the \(what) took \(duration), allowed are \(limit)") }
    }

    private func send(_ one: Int, _ recipients: [Int], _ channel: Int, _ length: Int) {
        guard let program = program(one) else { return }
        let series = Ledger.Series(sender: program.run, channel: channel)
        let targets = recipients.isEmpty ? nil : recipients.map { ids[$0] }
        program.add(
            { _, session in
                guard let place = channel == 0 ? MessageChannel.main : try? MessageChannel("second") else { return }
                let number = self.ledger.nextNumber(of: series)
                let parcel = Parcel(sender: program.run, channel: channel, number: number)
                let result = await session.send(parcel.data(length: length), to: targets, on: place)
                guard !Task.isCancelled else { return }
                self.note(result, series, number)
            },
            to: channel
        )
    }

    private func note(_ result: SendResult, _ series: Ledger.Series, _ number: Int) {
        ledger.change { state in
            for (peers, isTaken) in [(result.taken, true), (Array(result.missed.keys), false)] {
                for peer in peers {
                    guard let receiver = machines[peer] else { continue }
                    state.outcomes[Ledger.Address(series: series, number: number, receiver: receiver)] = isTaken
                }
            }
        }
    }

    /// Ends all faults.
    private func settle() async {
        await onExecutor { [self] in
            network.heal()
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
