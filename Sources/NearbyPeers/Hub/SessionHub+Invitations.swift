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
        token: LinkToken? = nil,
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
        if isAutomatic, let id, peers[id]?.isBlocked == true { throw .notConnected }
        let end = clock.now + timeout
        var wish = PeerRecord.Wishes()
        (wish.context, wish.token, wish.timeout, wish.isAutomatic) = (context, token, timeout, isAutomatic)
        if let id {
            guard id != localID else { throw .invitesItself }
            if peers[id]?.meeting.isLinked == true { return id }
            // A link that is being resumed holds its place already.
            guard peers[id]?.link != nil || !isFull(besides: id) else { throw .tooManyPeers }
            return try await waitForLink(until: end) { call, continuation in
                prepareWish(for: id, wish, destination)
                peers[id]?.wishes.waiting[call] = continuation
                meet(id) { $0.wished() }
            }
        }
        guard !isFull(besides: nil) else { throw .tooManyPeers }
        // Taken before the connection opens: if the application disconnects the peer after this, the disconnection wins.
        let beginning = makeNumber()
        let connection = try await open(destination)
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
                        wish: wish,
                        destination: destination
                    )
                )
            }
        } catch {
            // The call was cancelled before the hub took the connection over.
            if !isRunning {
                connection.abort()
                await connection.run { _ in }
            }
            throw error
        }
    }

    /// Stores the content of an invitation, and the addresses of the peer.
    func prepareWish(for id: PeerID, _ wish: PeerRecord.Wishes, _ destination: Destination) {
        var record = makeRecord(id)
        // An invitation takes an earlier disconnection of the peer back.
        record.blockNumber = nil
        record.wasIntroduced = false
        let (waiting, isOwn) = (record.wishes.waiting, record.wishes.isOwn)
        record.wishes = wish
        (record.wishes.waiting, record.wishes.isOwn) = (waiting, isOwn)
        // The application wants the peer now, so the pauses between attempts begin again.
        if record.link == nil { (record.attempts.count, record.attempts.pairingBreakCount) = (0, 0) }
        for address in destination.addresses.reversed() { record.addAddress(address) }
        if !destination.addresses.isEmpty { record.localAddresses = destination.localAddresses }
        if !destination.texts.isEmpty { record.givenAddresses = destination.texts }
        if let name = destination.name { record.sightedName = name }
        peers[id] = record
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
        _ begin: (_ call: Int, PeerRecord.Wishes.Continuation) -> Void
    ) async throws(PeerError) -> PeerID {
        let call = makeNumber()
        let cancelTimer = clock.schedule(at: end) {
            self.spawn { await self.endWish(call, .invitationTimedOut) }
        }
        defer { cancelTimer() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: PeerRecord.Wishes.Continuation) in
                if Task.isCancelled || hasLeft {
                    continuation.resume(returning: .failure(.taskCancelled))
                } else {
                    begin(call, continuation)
                }
            }
        } onCancel: {
            self.spawn { await self.endWish(call, .taskCancelled) }
        }
        return try result.get()
    }

    private func endWish(_ call: Int, _ error: PeerError) {
        if let number = identities.first(where: { $0.value.number == call })?.key,
            let identity = identities.removeValue(forKey: number)
        {
            connections[number]?.connection.abort()
            return identity.continuation.resume(returning: .failure(error))
        }
        guard let id = peers.first(where: { $0.value.wishes.waiting[call] != nil })?.key,
            let continuation = peers[id]?.wishes.waiting.removeValue(forKey: call)
        else { return }
        let cause = error.code == .timedOut ? peers[id]?.attempts.error : nil
        if let record = peers[id], record.wishes.waiting.isEmpty, !record.wasLinked || !record.wishes.isOwn {
            // A peer that was not asked has not refused, so a peer nearby is invited again.
            let wasAsked = record.state == .connecting(.asking) || record.digitsAreCompared
            peers[id]?.attempts.error = record.wishes.isAutomatic && !wasAsked ? .tooSlow : error
            meet(id) { $0.wishExpired() }
            noteDisconnection(of: id)
        }
        // If no address answers, this says more than that the time is over.
        continuation.resume(returning: .failure(cause?.code == .cannotConnect ? cause ?? error : error))
    }

    /// Completes the calls that wait for a link with the peer.
    func fulfilWishes(of id: PeerID) {
        let waiting = peers[id]?.wishes.waiting.values.map { $0 } ?? []
        peers[id]?.wishes = PeerRecord.Wishes()
        for continuation in waiting { continuation.resume(returning: .success(id)) }
    }

    /// Fails the calls that wait for a link with the peer, and clears its wishes.
    func failWishes(of id: PeerID, _ error: PeerError) {
        let waiting = peers[id]?.wishes.waiting.values.map { $0 } ?? []
        if peers[id] != nil { peers[id]?.wishes = PeerRecord.Wishes() }
        for continuation in waiting { continuation.resume(returning: .failure(error)) }
    }

    /// Withdraws the wish for a link with the peer.
    func withdrawWish(of id: PeerID) {
        meet(id) { $0.wishExpired() }
    }

    /// Ends a wish that a retry cannot fulfil.
    func giveUpIfHopeless(_ id: PeerID, _ error: PeerError) {
        guard let record = peers[id], !record.wasLinked, record.meeting.wish != nil else { return }
        let isHopeless =
            switch error.code {
            case .cannotConnect, .connectionLost, .timedOut, .cancelled:
                record.attempts.count >= 3 && !isIntroduced(id)
            default: true
            }
        if !isHopeless, isIntroduced(id), record.attempts.count >= 3, case .connecting = record.state {
            show(.unreachable(since: clock.now), of: id)
        }
        guard isHopeless else { return }
        failWishes(of: id, error)
        withdrawWish(of: id)
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
        if isWelcome || remote.admittedByLink || isMember(id) && record.digits == nil {
            act(number) { $0.continueWithoutComparing(at: clock.now) }
            return meet(id) { $0.answered(true) }
        }
        // Without a reader, the peer would wait for an answer until its time-out.
        guard inboxes.areInvitationsRead else {
            return decline(number, Refusal(.notTrusted, "The other side does not accept invitations at the moment."))
        }
        showProgress(record.digits.map { .comparing($0) } ?? .asking, of: id)
        let invitation = IncomingInvitation(
            peer: remote,
            context: record.conversation.state.request?.context,
            digits: record.digits,
            number: number,
            hub: self
        )
        if !inboxes.invitations.add(invitation) { decline(number, .full) }
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
        let least = clock.now + configuration.connections.handshakeTimeout
        // If digits are compared, the person at the other side has the rest of the invitation's time.
        let end = record.digits == nil ? least : max(least, record.conversation.state.invitationEnd ?? least)
        _ = try await waitForLink(until: end) { call, continuation in
            var record = makeRecord(id)
            record.wishes.waiting[call] = continuation
            peers[id] = record
            meet(id) { $0.answered(true) }
        }
    }

    /// Counts a pairing that the peer has broken off; three in a row end the wish.
    ///
    /// Otherwise people would be shown new digits again and again.
    func notePairingBreak(with id: PeerID) {
        peers[id]?.attempts.pairingBreakCount += 1
        guard let record = peers[id], record.attempts.pairingBreakCount >= 3, record.meeting.wish != nil else { return }
        peers[id]?.attempts.error = .pairingBroke
        failWishes(of: id, .pairingBroke)
        withdrawWish(of: id)
    }
}

extension PeerRecord {
    /// Adds an address before the others, or moves it there.
    mutating func addAddress(_ address: SocketAddress) {
        addresses.removeAll { $0 == address }
        addresses.insert(address, at: 0)
        if addresses.count > 32 { addresses.removeLast() }
    }
}
