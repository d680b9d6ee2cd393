import PeerProtocol

/// Everything that can happen next.
extension MeetingNetwork {
    typealias Observer = (MeetingStateMachine, MeetingEvent) -> Void

    /// Every network that one event leads to.
    func successors(_ scenario: MeetingScenario, _ observe: Observer) -> [MeetingNetwork] {
        var next: [MeetingNetwork] = []
        for program in programs.indices {
            addDecisions(program, scenario, observe, to: &next)
            addRestarts(program, scenario, to: &next)
        }
        for index in connections.indices {
            if !connections[index].isOpen {
                addDials(index, scenario, observe, to: &next)
                continue
            }
            for isDialer in [true, false] where connections[index][isDialer].isHeld {
                addDeliveries(index, isDialer, scenario, observe, to: &next)
            }
            addBreaks(index, to: &next)
        }
        for index in next.indices { next[index].normalize() }
        return next
    }

    /// Whether nothing more happens, unless an application wants something.
    var isAtRest: Bool {
        connections.allSatisfy { $0.isOpen && $0.dialer.items.isEmpty && $0.listener.items.isEmpty }
            && !programs.indices.contains { isStuck($0) || programs[$0].machine.isAsking }
    }

    /// Whether a program waits for a dial for which there are no dials left.
    private func isStuck(_ program: Int) -> Bool {
        guard let outgoing = programs[program].machine.outgoing, outgoing.stage == .dialing else { return false }
        return find(outgoing.connection, program) == nil
    }

    /// Passes an event to a machine, and performs what the machine decides.
    mutating func apply(
        _ event: MeetingEvent,
        _ program: Int,
        _ scenario: MeetingScenario,
        _ observe: Observer
    ) {
        observe(programs[program].machine, event)
        let step = event.apply(to: &programs[program].machine)
        perform(step, program, scenario)
    }

    /// Notes that an event may end links and wishes, so that earlier wishes promise nothing.
    mutating func disturb() {
        wasDisturbed = true
        for program in programs.indices { programs[program].hasWished = false }
    }

    private func addDecisions(
        _ program: Int,
        _ scenario: MeetingScenario,
        _ observe: Observer,
        to next: inout [MeetingNetwork]
    ) {
        let machine = programs[program].machine
        if programs[program].wishesLeft > 0, machine.wish == nil {
            var network = self
            network.programs[program].wishesLeft -= 1
            // A link that the other side has ended already fulfils the wish, and ends later.
            network.programs[program].hasWished = !machine.isLinked || !wasDisturbed
            network.apply(.wished(isIntroduced: scenario.areIntroduced), program, scenario, observe)
            next.append(network)
        }
        if machine.isAsking {
            var network = self
            network.noteAnswer(program)
            network.apply(.answered(true), program, scenario, observe)
            next.append(network)
            network = self
            network.disturb()
            network.wasRefused = true
            network.noteAnswer(program)
            network.apply(.answered(false), program, scenario, observe)
            next.append(network)
        }
        let isStuck = isStuck(program)
        if machine.wish != nil, isStuck || budget.expiries > 0 {
            var network = self
            if !isStuck { network.budget.expiries -= 1 }
            network.disturb()
            network.apply(.wishExpired, program, scenario, observe)
            next.append(network)
        }
        if machine.link != nil, isStuck || budget.giveUps > 0 {
            var network = self
            if !isStuck { network.budget.giveUps -= 1 }
            network.disturb()
            network.apply(.linkGivenUp, program, scenario, observe)
            next.append(network)
        }
    }

    private func addRestarts(_ program: Int, _ scenario: MeetingScenario, to next: inout [MeetingNetwork]) {
        let fresh = MeetingStateMachine(decides: programs[program].machine.decides)
        guard budget.restarts > 0, programs[program].machine != fresh else { return }
        for losesTail in [false, true] {
            var network = self
            network.budget.restarts -= 1
            network.disturb()
            network.hadFault = network.hadFault || losesTail
            network.dropConnections(of: program, losesTail)
            network.programs[program].machine = fresh
            network.programs[program].incarnation += 1
            network.programs[program].wishesLeft += 1
            (network.programs[program].asked, network.programs[program].answered) = (nil, [])
            next.append(network)
        }
    }

    /// Ends the connections of a program whose process has ended.
    private mutating func dropConnections(of program: Int, _ losesTail: Bool) {
        for index in connections.indices {
            for isDialer in [true, false] where connections[index][isDialer].program == program {
                let connection = connections[index]
                if !connection.isOpen {
                    guard isDialer else { continue }
                    connections[index].dialer.isHeld = false
                    connections[index].listener.isHeld = false
                } else if connection[isDialer].isHeld {
                    connections[index][isDialer].isHeld = false
                    connections[index][isDialer].items = []
                    guard connection[!isDialer].isHeld else { continue }
                    if losesTail { connections[index][!isDialer].items = [] }
                    connections[index][!isDialer].items.append(.closed)
                }
            }
        }
    }

    private func addDials(
        _ index: Int,
        _ scenario: MeetingScenario,
        _ observe: Observer,
        to next: inout [MeetingNetwork]
    ) {
        let dialer = connections[index].dialer.program
        let name = name(connections[index], isDialer: true)
        for listener in dialer == 0 ? 1..<programs.count : 0..<1 {
            var network = self
            network.connections[index].isOpen = true
            network.connections[index].listener.program = listener
            network.connections[index].listener.incarnation = programs[listener].incarnation
            network.connections[index].dialer.items.append(.hello)
            next.append(network)
        }
        if budget.failedDials > 0 {
            var network = self
            network.budget.failedDials -= 1
            network.hadFault = true
            network.connections[index].dialer.isHeld = false
            network.connections[index].listener.isHeld = false
            network.apply(.closed(name), dialer, scenario, observe)
            next.append(network)
        }
    }

    private func addBreaks(_ index: Int, to next: inout [MeetingNetwork]) {
        guard budget.breaks > 0 else { return }
        let connection = connections[index]
        let toDialer = connection.dialer.items.filter { $0 != .closed }
        let toListener = connection.listener.items.filter { $0 != .closed }
        for dialerKeeps in 0...toDialer.count {
            for listenerKeeps in 0...toListener.count {
                var network = self
                network.budget.breaks -= 1
                network.hadFault = true
                if connection.dialer.isHeld {
                    network.connections[index].dialer.items = toDialer.prefix(dialerKeeps) + [.closed]
                }
                if connection.listener.isHeld {
                    network.connections[index].listener.items = toListener.prefix(listenerKeeps) + [.closed]
                }
                if network.connections[index] != connection { next.append(network) }
            }
        }
    }
}
