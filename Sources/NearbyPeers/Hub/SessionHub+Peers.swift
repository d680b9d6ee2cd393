import PeerCore
import PeerProtocol

/// Passes events to the machines of peers, and performs their actions.
extension SessionHub {
    /// Passes an event to a peer's machine, and performs what it decides.
    ///
    /// Performing an action may lead to further events. Their actions come after those that were decided before: otherwise an older
    /// state would be shown after a newer one.
    func apply(_ id: PeerID, _ event: (inout PeerStateMachine) -> [PeerAction]) {
        var entry = peers[making: id]
        let actions = event(&entry.machine)
        peers[id] = entry
        perform(actions, id)
    }

    /// Performs actions of a peer's machine, after all that wait.
    func perform(_ actions: [PeerAction], _ id: PeerID) {
        let isOutermost = peers.waitingActions.isEmpty
        peers.waitingActions += actions.map { (id, $0) }
        guard isOutermost else { return }
        // An action stays in the list while it is performed, so that events of its own wait.
        while let (id, action) = peers.waitingActions.first {
            perform(action, id)
            peers.waitingActions.removeFirst()
        }
    }

    private func perform(_ action: PeerAction, _ id: PeerID) {
        switch action {
        case .close(let closing): close(closing, id)
        case .endLink(let error): endLink(of: id, error)
        case .show(let state): show(state, of: id)
        case .dial(let name, let dial): self.dial(name, dial, id)
        case .ping(let name): test(name, id)
        case .invite(let invite, let name): sendInvite(invite, name, id)
        case .request(let request, let name): sendRequest(request, name, id)
        case .ask(let name): consider(name, id)
        case .accept(let name): accept(name, id)
        case .establish(let name, let answer): establish(name, answer, id)
        case .reportReturn: states.report(.returned(id))
        case .finish(let calls, let error):
            for call in calls { self.calls.finish(call, error.map { .failure($0) } ?? .success(id)) }
        }
    }

    private func close(_ closing: MeetingStep.Closing, _ id: PeerID) {
        guard let number = peers[id]?.connections.removeValue(forKey: closing.connection),
            let record = connections[number]
        else {
            // The dial has not succeeded yet.
            if case .outgoing = closing.connection { peers[id]?.stop?.finish() }
            return
        }
        connections[number]?.name = nil
        let breaksComparison = record.isComparing
        switch closing.lastWord {
        case .decline(let decline): end(number) { $0.decline(Refusal(decline)) }
        case .violation(let code):
            let error = ProtocolError(code, "A frame came out of turn.")
            end(number) { $0.receivedInvalid(error) }
        case nil: end(number) { $0.lost() }
        }
        if breaksComparison { apply(id) { $0.comparisonBroke(at: clock.now) } }
    }

    /// Tests the connection of a newcomer with a ping.
    private func test(_ name: MeetingConnection, _ id: PeerID) {
        guard let number = peers[id]?.connections[name], let connection = connections[number]?.connection else {
            return
        }
        work.add {
            guard await connection.roundTrip() != nil else { return }
            await self.meet(id) { $0.receivedPong(name) }
        }
    }

    /// Passes an event of a connection to a peer's meeting machine.
    func meet(_ id: PeerID, _ event: (inout MeetingStateMachine) -> MeetingStep) {
        apply(id) { $0.meet(at: clock.now, event) }
    }

    /// Shows a peer's state to the application.
    func show(_ state: PeerState, of id: PeerID) {
        guard let entry = peers[id] else { return }
        states.update(entry.description(state, roster.members[id]))
    }

    /// Shows what has changed of a peer but its state.
    func showAgain(_ id: PeerID) {
        guard let state = peers[id]?.machine.state else { return }
        perform([.show(state)], id)
    }

    /// Forgets a peer that never had a link; of the others, keeps the most recent.
    func forget(_ id: PeerID) {
        // Members are forgotten by the rules of the group instead.
        let surplus = peers.surplus(after: id, isKept: { isInRoster($0) || calls.isAwaited(.peer($0)) }, at: clock.now)
        guard let surplus else { return }
        peers[surplus] = nil
        states.remove(surplus)
    }
}
