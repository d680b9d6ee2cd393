import FoundationEssentials
import Logging
import NIOCore
import PeerCore
import PeerProtocol

/// Invitations of this application, and questions about those of peers.
extension SessionHub {
    /// Invites a peer, and waits for a link with it.
    ///
    /// An automatic invitation skips peers that the application has disconnected.
    ///
    /// - Throws: ``PeerError`` if there is no link in time.
    func invite(
        _ destination: Destination,
        _ id: PeerID?,
        context: Data?,
        token: ShareToken? = nil,
        timeout: Duration,
        isAutomatic: Bool = false
    ) async throws(PeerError) -> PeerID {
        guard (context?.count ?? 0) <= configuration.connections.limits.maximumContextLength else {
            throw PeerError(.invalidArgument, "The context of an invitation is too long.")
        }
        guard timeout >= .seconds(1), timeout <= .seconds(3600) else {
            throw PeerError(.invalidArgument, "The time-out of an invitation must be from 1 second to 1 hour.")
        }
        guard !hasLeft else { throw .sessionEnded }
        if isAutomatic, let id, peers[id]?.machine.isBlocked == true { throw .notConnected }
        let end = clock.now + timeout
        let request = PeerStateMachine.Request(
            context: context,
            token: token,
            timeout: timeout,
            isAutomatic: isAutomatic
        )
        if let id {
            guard id != localID else { throw .invitesItself }
            if peers[id]?.machine.meeting.isLinked == true { return id }
            // A link that is being resumed holds its place already.
            guard peers[id]?.link != nil || !isFull(besides: id) else { throw .tooManyPeers }
            return try await waitForLink(until: end) { call, continuation in
                var entry = makeEntry(id)
                entry.addresses.add(destination)
                if let name = destination.name { entry.sightedName = name }
                entry.calls[call] = continuation
                peers[id] = entry
                apply(id) { $0.invited(request, by: call, at: clock.now) }
            }
        }
        guard !isFull(besides: nil) else { throw .tooManyPeers }
        // Taken before the connection opens: if the application disconnects the peer after this, the disconnection wins.
        let beginning = makeNumber()
        let connection = try await dialer.open(destination)
        var isRunning = false
        do throws(PeerError) {
            return try await waitForLink(until: end) { call, continuation in
                isRunning = true
                identify(
                    connection,
                    IdentityCall(
                        number: call,
                        beginning: beginning,
                        continuation: continuation,
                        request: request,
                        destination: destination
                    )
                )
            }
        } catch {
            // The call was cancelled before the hub took the connection over.
            if !isRunning { await dialer.drop(connection) }
            throw error
        }
    }

    /// Waits for a link with a peer.
    ///
    /// - Parameters:
    ///   - end: When to give up.
    ///   - begin: Stores the continuation under the number of the call.
    /// - Returns: The peer's id.
    /// - Throws: ``PeerError`` if there is no link in time.
    private func waitForLink(
        until end: ContinuousClock.Instant,
        _ begin: (_ call: Int, PeerEntry.Continuation) -> Void
    ) async throws(PeerError) -> PeerID {
        let call = makeNumber()
        let cancelTimer = clock.schedule(at: end) {
            self.work.add { await self.endWish(call, .invitationTimedOut) }
        }
        defer { cancelTimer() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: PeerEntry.Continuation) in
                if Task.isCancelled || hasLeft {
                    continuation.resume(returning: .failure(.taskCancelled))
                } else {
                    begin(call, continuation)
                }
            }
        } onCancel: {
            self.work.add { await self.endWish(call, .taskCancelled) }
        }
        return try result.get()
    }

    private func endWish(_ call: Int, _ error: PeerError) {
        if let number = connections.values.first(where: { $0.call?.number == call })?.number {
            connections[number]?.connection.abort()
            return failIdentity(number, error)
        }
        guard let id = peers.first(where: { $0.value.calls[call] != nil })?.key else { return }
        apply(id) { $0.callEnded(call, error, at: clock.now) }
    }

    /// Asks the application whether an invitation is welcome.
    func ask(_ number: Int, _ id: PeerID) async {
        guard let record = connections[number], !record.isFinished, let remote = record.remote else { return }
        let isTrusted = if case .trusted = remote.trust { true } else { false }
        let isWelcome =
            switch configuration.admission {
            case .everyone: true
            case .trusted: isTrusted && record.digits == nil
            case .ask, .closed: false
            }
        if isWelcome || remote.admittedByShareLink || isMember(id) && record.digits == nil {
            act(number) { $0.continueWithoutComparing(at: clock.now) }
            return apply(id) { $0.accepted(on: record.name, at: clock.now) ?? [] }
        }
        // Without a reader, the peer would wait for an answer until its time-out.
        guard inboxes.areInvitationsRead else {
            return decline(number, Refusal(.notTrusted, "The other side does not accept invitations at the moment."))
        }
        apply(id) { $0.progressed(record.digits.map { .comparing($0) } ?? .asking) }
        let invitation = IncomingInvitation(
            peer: remote,
            context: record.conversation.state.request?.context,
            digits: record.digits,
            number: number,
            hub: self
        )
        if !inboxes.invitations.add(invitation) { makeRoom(number) }
    }

    /// Whether an invitation can no longer be answered.
    func isWithdrawn(_ number: Int) -> Bool { connections[number]?.isFinished != false }

    /// Accepts an invitation for the application.
    ///
    /// - Throws: ``PeerError`` if the peer is gone, if digits were not compared or differ, or if there is no link in time.
    func accept(_ number: Int, _ comparison: DigitComparison?) async throws(PeerError) {
        guard let record = connections[number], !record.isFinished, let id = record.peer else {
            throw .invitationWithdrawn
        }
        if comparison == .different {
            decline(number, Refusal(.notTrusted, "The digits were not the same."))
            throw PeerError(.notTrusted, "The digits were not the same.")
        }
        if record.digits != nil {
            switch comparison {
            case .same, .different: await confirm(number)
            case nil:
                throw PeerError(
                    .notTrusted,
                    "This peer is unknown: the digits on both screens must be compared first.",
                    remedy: "Show the digits, and accept with the answer."
                )
            }
        }
        // While the answer was saved, the invitation may have been withdrawn, and another one may have come.
        guard let asked = connections[number], !asked.isFinished else { throw .invitationWithdrawn }
        let least = clock.now + configuration.connections.handshakeTimeout
        // If digits are compared, the person at the other side has the rest of the invitation's time.
        let end = asked.digits == nil ? least : max(least, asked.conversation.state.invitationEnd ?? least)
        _ = try await waitForLink(until: end) { call, continuation in
            var entry = makeEntry(id)
            guard let actions = entry.machine.accepted(on: asked.name, by: call, at: clock.now) else {
                return continuation.resume(returning: .failure(.invitationWithdrawn))
            }
            entry.calls[call] = continuation
            peers[id] = entry
            perform(actions, id)
        }
    }
}
