import FoundationEssentials
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NearbyPeers
import PeerCore
import PeerTesting

/// What happens in a simulated world.
extension Simulation {
    func perform(_ event: Plan.Event) async {
        await onExecutor { self.performNow(event) }
    }

    func performNow(_ event: Plan.Event) {
        switch event {
        case .start(let machine):
            if program(machine) == nil { start(machine) }
        case .startSecond(let machine):
            if program(machine) != nil { start(machine) }
        case .crash(let machine, let isSilent): crash(machine, isSilent: isSilent)
        case .leave(let machine):
            guard program(machine) != nil else { return }
            let programs = endPrograms(of: machine) { $0.left.insert(machine) }
            for program in programs { ledger.recording?.add(.left(program.run)) }
            for program in programs { program.end() }
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
        case .stream(let one, let two, let length): stream(one, two, length)
        case .resource(let one, let two, let length, let fate): resource(one, two, length, fate)
        case .read(let machine, let reading): program(machine)?.read(reading)
        case .cut(let one, let two, let isSilent):
            ledger.recording?.add(.cut(one, two))
            network.cut("\(one)", "\(two)", silently: isSilent)
        case .partition(let groups):
            ledger.recording?.add(.separated(groups))
            network.partition(groups.map { Set($0.map { "\($0)" }) })
        case .block(let one, let two): network.block(from: "\(one)", to: "\(two)")
        case .heal:
            ledger.recording?.add(.healed)
            network.heal()
        case .delay(let delay): network.setDelay(.milliseconds(delay))
        case .rate(let one, let two, let rate): network.setRate(rate, between: "\(one)", "\(two)")
        }
    }

    private func start(_ machine: Int) {
        let number = box.withLockedValue { $0.programs[machine]?.count ?? 0 }
        let program = Program(Run(machine: machine, number: number), self)
        guard let local = try? network.local("\(machine)", application: application) else {
            return ledger.fail("machine \(machine) has no key")
        }
        var configuration = PeerSession.Configuration(local: local, requests: [Question.self])
        configuration.admission = .everyone
        configuration.invites = plan.invitesAll ? .everyoneFound : .manually
        configuration.maximumPeers = max(configuration.maximumPeers, plan.machineCount - 1)
        configuration.topology = plan.isMesh ? .mesh : .star
        configuration.buffers.maximumMessageLength = Plan.maximumLength
        configuration.buffers.outboxLength = plan.outboxLength
        configuration.logger = Logger(label: "\(machine)") { [isLogged, network] _ in
            let log: any LogHandler =
                isLogged ? SimulationLog(clock: network.clock, machine: machine) : SwiftLogNoOpLogHandler()
            return log
        }
        configuration.logger.logLevel = .trace
        ledger.recording?.add(.started(program.run))
        let task = Task(executorPreference: network.executor) { [configuration] in await program.main(configuration) }
        box.withLockedValue { state in
            state.programs[machine, default: []].append(program)
            state.tasks[program.run] = task
        }
    }

    private func crash(_ machine: Int, isSilent: Bool) {
        guard program(machine) != nil else { return }
        for other in 0..<plan.machineCount where other != machine {
            network.cut("\(machine)", "\(other)", silently: isSilent)
        }
        let programs = endPrograms(of: machine) { _ in }
        for program in programs { ledger.recording?.add(.killed(program.run)) }
        let tasks = box.withLockedValue { state in programs.compactMap { state.tasks[$0.run] } }
        for task in tasks { task.cancel() }
    }

    /// Counts the programs of a machine as ended, and returns them.
    private func endPrograms(of machine: Int, _ change: (inout State) -> Void) -> [Program] {
        box.withLockedValue { state in
            let programs = (state.programs[machine] ?? []).filter { !$0.hasEnded && !state.ended.contains($0.run) }
            state.ended.formUnion(programs.map(\.run))
            change(&state)
            return programs
        }
    }

    func invite(_ one: Int, _ two: Int) {
        guard let program = program(one), let invited = self.program(two)?.session else { return }
        program.noteInvitation(of: two)
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
        let targets = recipients.isEmpty ? nil : Set(recipients.map { ids[$0] })
        program.add(
            { _, session in
                guard let place = channel == 0 ? MessageChannel.main : MessageChannel("second") else { return }
                let number = self.ledger.nextNumber(of: series)
                let parcel = Parcel(sender: program.run, channel: channel, number: number)
                let data = parcel.data(length: length)
                self.ledger.recording?.add(.sent(series, number))
                guard let result = try? await session.send(data, to: targets, on: place), !Task.isCancelled else {
                    return
                }
                self.note(result, series, number, data.count)
            },
            to: channel
        )
    }

    private func stream(_ one: Int, _ two: Int, _ length: Int) {
        let id = ids[two]
        program(one)?.add { program, session in
            let flow = Flow(sender: program.run, number: self.ledger.nextFlow(), length: length)
            guard let stream = try? await session.openStream(named: "flow", to: id, metadata: flow.metadata) else {
                return
            }
            do throws(PeerError) {
                for piece in flow.pieces { try await stream.write(piece) }
                stream.finish()
                self.ledger.change { $0.sentFlows[flow] = two }
            } catch {
                stream.cancel()
            }
        }
    }

    private func resource(_ one: Int, _ two: Int, _ length: Int, _ fate: Plan.Fate) {
        let id = ids[two]
        program(one)?.add { program, session in
            let flow = Flow(sender: program.run, number: self.ledger.nextFlow(), length: length)
            self.ledger.change { $0.shipments[flow] = Shipment(receiver: two, fate: fate) }
            self.ledger.recording?.add(.offered(flow, to: two))
            let outcome: Shipment.Outcome
            do throws(PeerError) {
                let bytes = flow.pieces.reduce(into: Data()) { $0 += $1 }
                let content = ResourceContent.bytes(bytes)
                let sending = try await session.send(resource: content, named: "flow", metadata: flow.metadata, to: id)
                outcome = await self.outcome(of: sending, fate)
            } catch {
                // Nothing was offered.
                self.ledger.recording?.add(.settled(flow, isReceived: false))
                return self.ledger.change { $0.shipments[flow] = nil }
            }
            guard !Task.isCancelled else { return }
            if outcome != .finished { self.ledger.recording?.add(.settled(flow, isReceived: false)) }
            self.ledger.change { state in
                state.trace.add("ended \(flow) \(outcome)")
                state.shipments[flow]?.outcome = outcome
            }
        }
    }

    private func outcome(of sending: ResourceSending, _ fate: Plan.Fate) async -> Shipment.Outcome {
        await withTaskGroup(of: Void.self, returning: Shipment.Outcome.self) { group in
            if case .cancelled(let delay) = fate {
                group.addTask {
                    guard (try? await self.network.clock.sleep(for: .milliseconds(delay))) != nil else { return }
                    sending.cancel()
                }
            }
            defer { group.cancelAll() }
            do throws(PeerError) {
                try await sending.finished()
                return .finished
            } catch {
                return .failed(error.code)
            }
        }
    }

    private func note(_ result: SendResult, _ series: Ledger.Series, _ number: Int, _ length: Int) {
        let runs = Dictionary(uniqueKeysWithValues: aliveNow.map { ($0.run.machine, $0.run) })
        ledger.change { state in
            for (peers, isTaken) in [(result.taken, true), (Set(result.missed.keys), false)] {
                for peer in peers {
                    guard let receiver = machines[peer] else { continue }
                    state.outcomes[Ledger.Address(series: series, number: number, receiver: receiver)] = isTaken
                    guard isTaken, let run = runs[receiver] else { continue }
                    state.took(length, of: series, for: run, atMost: plan.maximumWaitingLength)
                }
            }
        }
    }
}
