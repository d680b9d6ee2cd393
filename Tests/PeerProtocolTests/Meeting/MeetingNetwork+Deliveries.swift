import PeerProtocol

/// What connections deliver.
extension MeetingNetwork {
    /// Delivers the next item to one end of a connection.
    func addDeliveries(
        _ index: Int,
        _ isDialer: Bool,
        _ scenario: MeetingScenario,
        _ observe: Observer,
        to next: inout [MeetingNetwork]
    ) {
        guard let item = connections[index][isDialer].items.first else { return }
        var network = self
        network.connections[index][isDialer].items.removeFirst()
        let program = connections[index][isDialer].program
        let name = name(connections[index], isDialer: isDialer)
        let incarnation = Self.incarnation(connections[index][!isDialer].incarnation)
        let event: MeetingEvent
        switch item {
        case .hello: event = .dialed(name, incarnation)
        case .ping:
            network.send(.pong, name, from: program)
            next.append(network)
            return
        case .pong: event = .receivedPong(name)
        case .closed:
            network.connections[index][isDialer].isHeld = false
            event = .closed(name)
        case .accept: event = .receivedAccept(name)
        case .decline(let decline): event = .receivedDecline(scenario.mutant.altered(decline), name)
        case .invite(let invite):
            event = .receivedInvite(scenario.mutant.altered(invite, programs[program].machine), name, incarnation)
        case .link(let link) where isDialer: event = .receivedAnswer(link, name)
        case .link(let link):
            let link = scenario.mutant.altered(link, programs[program].machine)
            addLinkRequest(network, link, name, program, incarnation, scenario, observe, to: &next)
            return
        }
        network.apply(event, program, scenario, observe)
        network.alterParking(program, scenario, observe)
        next.append(network)
    }

    /// Delivers the request for a link.
    ///
    /// If only members get one, the listener may or may not know the peer as a member.
    private func addLinkRequest(
        _ network: MeetingNetwork,
        _ link: Link,
        _ name: MeetingConnection,
        _ program: Int,
        _ incarnation: Incarnation,
        _ scenario: MeetingScenario,
        _ observe: Observer,
        to next: inout [MeetingNetwork]
    ) {
        var member = network
        member.apply(.receivedLink(link, name, incarnation, isMember: true), program, scenario, observe)
        member.alterParking(program, scenario, observe)
        next.append(member)
        guard !scenario.areIntroduced else { return }
        var stranger = network
        stranger.apply(.receivedLink(link, name, incarnation, isMember: false), program, scenario, observe)
        stranger.alterParking(program, scenario, observe)
        guard stranger != member else { return }
        stranger.disturb()
        stranger.wasRefused = true
        next.append(stranger)
    }

    /// Undoes parking, for the mutants that do not park.
    private mutating func alterParking(_ program: Int, _ scenario: MeetingScenario, _ observe: Observer) {
        let machine = programs[program].machine
        guard let incoming = machine.incoming, incoming.isParked else { return }
        switch scenario.mutant {
        case .noParking?:
            let crossed = Decline.crossed(connectionCount: machine.connectionCount, epoch: 0)
            send(.decline(crossed), incoming.connection, from: program)
            close(incoming.connection, from: program)
            apply(.closed(incoming.connection), program, scenario, observe)
        case .newestWins?:
            guard let outgoing = machine.outgoing else { return }
            close(outgoing.connection, from: program)
            apply(.closed(outgoing.connection), program, scenario, observe)
        default: break
        }
    }
}

extension MeetingStateMachine.Incoming {
    var isParked: Bool {
        switch stage {
        case .parkedInvite, .parkedLink: true
        case .asking, .accepted: false
        }
    }
}

extension MeetingMutant? {
    private var ignoresCount: Bool { self == .noConnectionCount || self == .newestWins }

    func altered(_ invite: Invite, _ machine: MeetingStateMachine) -> Invite {
        var invite = invite
        if ignoresCount { invite.connectionCount = max(invite.connectionCount, machine.connectionCount) }
        return invite
    }

    func altered(_ link: Link, _ machine: MeetingStateMachine) -> Link {
        var link = link
        if ignoresCount { link.connectionCount = max(link.connectionCount, machine.connectionCount) }
        return link
    }

    func altered(_ decline: Decline) -> Decline {
        if self == .noAdoption, case .crossed = decline { .crossed(connectionCount: 0, epoch: 0) } else { decline }
    }
}
