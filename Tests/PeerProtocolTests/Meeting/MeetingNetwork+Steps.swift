import PeerProtocol

/// What a driver does about the steps of a machine.
extension MeetingNetwork {
    /// Performs what a machine has decided.
    mutating func perform(_ step: MeetingStep, _ program: Int, _ scenario: MeetingScenario) {
        for closing in step.closings {
            switch closing.lastWord {
            case .decline(let decline)?:
                send(.decline(decline), closing.connection, from: program)
            case .violation?: flaw = flaw ?? "an honest peer is accused"
            case nil: break
            }
            close(closing.connection, from: program)
        }
        if step.endsLink {
            if !wasDisturbed, programs.count == 2 { flaw = flaw ?? "a link ended without a reason" }
            // The wish was fulfilled by the link that has now ended.
            if programs[program].machine.wish == nil { programs[program].hasWished = false }
        }
        switch step.action {
        case .dial(let connection, _): dial(connection, program, scenario)
        case .sendPing(let connection):
            if scenario.mutant == .noTest {
                perform(programs[program].machine.receivedPong(connection), program, scenario)
            } else {
                send(.ping, connection, from: program)
            }
        case .sendInvite(let invite, let connection): send(.invite(invite), connection, from: program)
        case .sendLink(let link, let connection): send(.link(link), connection, from: program)
        case .ask(let connection): ask(connection, program)
        case .sendAccept(let connection): send(.accept, connection, from: program)
        case .establish(let connection, let answer):
            if find(connection, program) == nil { flaw = flaw ?? "a link on a connection that is not there" }
            if let answer { send(.link(answer), connection, from: program) }
        case .fail(let decline):
            if decline == .replaced {
                if programs.count == 2 { flaw = flaw ?? "a program that runs was replaced" }
                programs[program].hasWished = false
            }
            if decline == .refused, !wasRefused { flaw = flaw ?? "a wish failed and nobody refused" }
        case .reportLinked, .none: break
        }
        checkMachine(program)
        checkQuestion(program)
    }

    private mutating func dial(_ name: MeetingConnection, _ program: Int, _ scenario: MeetingScenario) {
        guard case .outgoing(let number) = name else {
            flaw = flaw ?? "a dial of a connection that has come"
            return
        }
        guard programs[program].dials < scenario.dials else {
            isExhausted = true
            if scenario.hasEnoughDials { flaw = flaw ?? "dials without end" }
            return
        }
        programs[program].dials += 1
        connections.append(
            Connection(
                number: number,
                dialer: End(program: program, incarnation: programs[program].incarnation),
                listener: End(program: program == 0 ? 1 : 0, incarnation: 0)
            )
        )
    }

    private mutating func ask(_ name: MeetingConnection, _ program: Int) {
        guard let (index, _) = find(name, program), let wish = programs[program].machine.question?.wish else {
            flaw = flaw ?? "a question about nothing"
            return
        }
        let asked = PeerWish(incarnation: connections[index].dialer.incarnation, wish: wish)
        if programs[program].answered.contains(asked) { flaw = flaw ?? "asked again after the answer" }
        programs[program].asked = Asked(wish: asked, connection: name)
    }

    /// The application answers what it was asked last.
    mutating func noteAnswer(_ program: Int) {
        guard let asked = programs[program].asked, !programs[program].answered.contains(asked.wish) else { return }
        programs[program].answered.append(asked.wish)
        programs[program].answered.sort { ($0.incarnation, $0.wish) < ($1.incarnation, $1.wish) }
    }

    /// Whether the application was asked about the invitation that waits for an answer.
    private mutating func checkQuestion(_ program: Int) {
        let incoming = programs[program].machine.incoming
        guard let incoming, incoming.stage == .asking else {
            programs[program].asked = nil
            return
        }
        if programs[program].asked?.connection != incoming.connection {
            flaw = flaw ?? "an invitation about which nobody was asked"
        }
    }

    /// What holds in every state of a machine.
    private mutating func checkMachine(_ program: Int) {
        let machine = programs[program].machine
        if machine.isLinked, machine.wish != nil || machine.outgoing != nil || machine.incoming != nil {
            flaw = flaw ?? "an attempt beside a connected link"
        }
        if machine.wish != nil || machine.link != nil, !machine.isLinked, machine.outgoing == nil,
            machine.incoming == nil
        {
            flaw = flaw ?? "a wish or a link without an attempt"
        }
        if case .accepted? = machine.incoming?.stage, machine.outgoing != nil {
            flaw = flaw ?? "an attempt beside an accepted invitation"
        }
        for name in [machine.link?.connection, machine.incoming?.connection, machine.newcomer?.connection] {
            if let name, find(name, program) == nil { flaw = flaw ?? "the machine keeps a connection that has ended" }
        }
    }

    /// What is wrong with this network if nothing more happens.
    func flawAtRest() -> String? {
        let machines = programs.map(\.machine)
        if machines.contains(where: { $0.wish != nil }) { return "a wish hangs" }
        if machines.contains(where: { $0.outgoing != nil || $0.incoming != nil || $0.newcomer != nil }) {
            return "an attempt is left over"
        }
        if machines.contains(where: { $0.link != nil && !$0.isLinked }) { return "a link is left without a connection" }
        let isLinked = machines[0].isLinked
        let partners = machines.dropFirst().filter(\.isLinked)
        if partners.count != (isLinked ? 1 : 0) { return "one side is linked, the other is not" }
        if connections.count != partners.count { return "a connection is left over" }
        if let partner = partners.first, let connection = connections.first {
            if partner.link?.epoch != machines[0].link?.epoch { return "linked by different epochs" }
            if partner.connectionCount != machines[0].connectionCount { return "the sides count differently" }
            let names = [name(connection, isDialer: true), name(connection, isDialer: false)]
            let dialedByFirst = connection.dialer.program == 0
            if machines[0].link?.connection != names[dialedByFirst ? 0 : 1]
                || partner.link?.connection != names[dialedByFirst ? 1 : 0]
            {
                return "linked by different connections"
            }
        }
        if isLinked || isExhausted { return nil }
        let wishes = programs.map(\.hasWished)
        if wishes[0], wishes.dropFirst().contains(true) { return "both wished, but there is no link" }
        if wishes.contains(true), !hadFault { return "one wished, nothing failed, but there is no link" }
        return nil
    }
}
