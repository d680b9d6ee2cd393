/// Who is in the group, as this side knows it: one record for each member. (Groups, "The roster".)
///
/// Every member sends its records to every connected member, so all members soon have the same records. There is no
/// leader and no vote: only the owner of a record changes it.
package struct RosterStateMachine: Hashable, Sendable {
    /// What to do about an event.
    ///
    /// Records to send wait for ``takeRecords(for:)``.
    package enum Action: Hashable, Sendable {
        /// The peer is a member that this side is not connected with: make a link with it.
        case introduce(PeerID)
        /// The member has left, and no connection with it says otherwise.
        ///
        /// With its own word, its link ends; else a link that is being resumed keeps its time.
        case remove(PeerID, isOwnWord: Bool)
        /// What is known of the member has changed.
        case update(PeerID)
        /// The member is forgotten: it was away for long, and no member is connected with it.
        case forget(PeerID)
    }

    /// A peer that is no longer in the group.
    private struct Departed: Hashable, Sendable {
        var record: MemberRecord
        /// Whether the member is said to have left; else this side has given it up.
        var hasLeft: Bool
        /// Whether this side has heard from the member itself that it leaves.
        var isOwnWord = false
        /// Until when this is remembered.
        var end: ContinuousClock.Instant
    }

    /// How long it is remembered that a member has left, so that older news does not bring it back.
    static let memory: Duration = .seconds(600)
    /// The shortest time between two changes of the own record.
    static let interval: Duration = .seconds(1)
    static let maximumDepartedCount = 64

    /// This side's own record.
    package private(set) var own: MemberRecord
    /// Whether members are told of one another.
    package let introduces: Bool
    /// The other members.
    package private(set) var members: [PeerID: Member] = [:]
    /// The peers with which there is a connection that carries a link.
    package private(set) var connected: Set<PeerID> = []
    /// The members that no connection carries a link with.
    var absences: [PeerID: Absence] = [:]
    private var departed: [PeerID: Departed] = [:]
    /// For each connected peer, the members whose records it still needs.
    private var unsent: [PeerID: Set<PeerID>] = [:]
    /// Whether ``members`` or ``links`` may have changed since the last ``takeChange()``.
    private var mayHaveChanged = false
    /// How this side wants to be described from the next change on.
    private var description: MemberRecord
    private var hasChanged = false
    private var lastChange: ContinuousClock.Instant?

    /// Creates the roster of a side that is alone.
    package init(own: MemberRecord, introduces: Bool) {
        self.own = own
        self.description = own
        self.introduces = introduces
    }

    /// Whether a peer is said to have left the group, by itself or by others, and nothing newer is known.
    package func isSaidToHaveLeft(_ id: PeerID) -> Bool { departed[id]?.hasLeft == true }

    /// A connection carries the link with a peer from now on.
    package mutating func connected(_ id: PeerID, at now: ContinuousClock.Instant) {
        connected.insert(id)
        absences[id] = nil
        mayHaveChanged = true
        // A member that was only given up is back, whatever its counter.
        if departed[id]?.hasLeft == false { departed[id] = nil }
        changeLinks(at: now)
        var all: Set<PeerID> = [own.id]
        if introduces {
            all.formUnion(members.keys)
            all.formUnion(departed.filter { $0.value.hasLeft }.keys)
        } else if departed[id] != nil {
            all.insert(id)
        }
        unsent[id] = all
    }

    /// No connection carries the link with a peer any more.
    package mutating func disconnected(_ id: PeerID, at now: ContinuousClock.Instant) -> [Action] {
        guard connected.remove(id) != nil else { return [] }
        if members[id] != nil { absences[id] = Absence(since: now) }
        mayHaveChanged = true
        unsent[id] = nil
        changeLinks(at: now)
        return departed[id].map { $0.hasLeft ? [.remove(id, isOwnWord: $0.isOwnWord)] : [] } ?? []
    }

    /// A peer tells what it knows of members.
    package mutating func received(
        _ records: [MemberRecord],
        from sender: PeerID,
        at now: ContinuousClock.Instant
    ) -> [Action] {
        var actions: [Action] = []
        for record in records {
            if record.id == own.id {
                refute(record)
            } else if let action = take(record, from: sender, at: now) {
                actions.append(action)
            }
        }
        forgetDeparted(at: now)
        change(at: now)
        return actions
    }

    /// Returns whether ``members`` or ``links`` may have changed since the last call.
    package mutating func takeChange() -> Bool {
        defer { mayHaveChanged = false }
        return mayHaveChanged
    }

    /// Time has passed.
    package mutating func tick(at now: ContinuousClock.Instant) {
        forgetDeparted(at: now)
        change(at: now)
    }

    /// This side listens elsewhere, or has another name.
    package mutating func ownChanged(displayName: String, addresses: [String], at now: ContinuousClock.Instant) {
        description = MemberRecord(
            id: own.id,
            incarnation: own.incarnation,
            displayName: displayName,
            platform: own.platform,
            software: own.software,
            addresses: addresses
        )
        guard description.displayName != own.displayName || description.addresses != own.addresses else { return }
        hasChanged = true
        change(at: now)
    }

    /// This side leaves the group.
    package mutating func leave() {
        own.status = .left
        own.counter = min(own.counter + 1, MemberRecord.maximumCounter)
        for id in connected { unsent[id, default: []].insert(own.id) }
    }

    /// This side gives up a member that has not been seen for long.
    package mutating func forget(_ id: PeerID, at now: ContinuousClock.Instant) {
        guard let member = members.removeValue(forKey: id) else { return }
        absences[id] = nil
        mayHaveChanged = true
        depart(Departed(record: member.record, hasLeft: false, end: now + Self.memory))
    }

    /// Returns the records that a peer has not been sent yet, and counts them as sent.
    package mutating func takeRecords(for id: PeerID) -> [MemberRecord] {
        guard let ids = unsent[id], !ids.isEmpty else { return [] }
        unsent[id] = []
        return ids.sorted { $0.precedes($1) }.compactMap(record)
    }

    /// The peers that have not been sent everything.
    package var peersToTell: [PeerID] {
        guard unsent.values.contains(where: { !$0.isEmpty }) else { return [] }
        return unsent.filter { !$0.value.isEmpty }.keys.sorted { $0.precedes($1) }
    }
}

extension RosterStateMachine {
    private func record(of id: PeerID) -> MemberRecord? {
        if id == own.id { return own }
        if let departed = departed[id] { return departed.hasLeft ? departed.record : nil }
        return members[id]?.record
    }

    /// Takes a record of another peer if it is news.
    private mutating func take(
        _ record: MemberRecord,
        from sender: PeerID,
        at now: ContinuousClock.Instant
    ) -> Action? {
        let id = record.id
        guard id == sender || introduces && record.counter <= MemberRecord.maximumCounterOfOthers else { return nil }
        if let known = members[id]?.record ?? departed[id]?.record, !record.supersedes(known) {
            // Others may have said so before, with the same counter.
            if id == sender, record.status == .left, record.counter == known.counter { departed[id]?.isOwnWord = true }
            return nil
        }
        switch record.status {
        case .present:
            let isConnected = connected.contains(id)
            guard members[id] != nil || hasRoom(forOneOf: sender, isConnected: isConnected) else { return nil }
            mayHaveChanged = true
            departed[id] = nil
            let isNew = members[id] == nil
            members[id, default: Member(record: record, introducer: id == sender ? nil : sender)].record = record
            spread(id, except: sender)
            if isNew, !isConnected { absences[id] = Absence(since: now) }
            return isNew && !isConnected ? .introduce(id) : .update(id)
        case .left:
            mayHaveChanged = true
            members[id] = nil
            absences[id] = nil
            depart(Departed(record: record, hasLeft: true, isOwnWord: id == sender, end: now + Self.memory))
            spread(id, except: sender)
            // While there is a connection, the member itself says its last word.
            return connected.contains(id) ? nil : .remove(id, isOwnWord: id == sender)
        }
    }

    /// Whether one more member has room; if there are too many, absent ones make room.
    ///
    /// Members that do not exist must not take the places of others. A connected member always gets a place. Of the
    /// absent members, the introducer of the most loses a place to an introducer of fewer.
    private mutating func hasRoom(forOneOf introducer: PeerID, isConnected: Bool) -> Bool {
        guard members.count >= MemberRecord.maximumMemberCount - 1 else { return true }
        var absent: [PeerID: [PeerID]] = [:]
        for (id, one) in members where !connected.contains(id) { absent[one.introducer ?? id, default: []].append(id) }
        let most = absent.max { ($0.value.count, $1.key.hex) < ($1.value.count, $0.key.hex) }
        guard let most, isConnected || most.value.count > absent[introducer, default: []].count + 1,
            let last = most.value.max(by: { $0.precedes($1) })
        else { return false }
        members[last] = nil
        absences[last] = nil
        for id in unsent.keys { unsent[id]?.remove(last) }
        return true
    }

    /// Raises the own counter above a wrong record of this peer that another member sent.
    private mutating func refute(_ record: MemberRecord) {
        guard own.status == .present, record.counter <= MemberRecord.maximumCounterOfOthers, record != own,
            record.counter >= own.counter
        else { return }
        own.counter = record.counter
        hasChanged = true
    }

    private mutating func changeLinks(at now: ContinuousClock.Instant) {
        hasChanged = true
        change(at: now)
    }

    /// Raises the counter of the own record if there is something new, at most once a second.
    private mutating func change(at now: ContinuousClock.Instant) {
        guard hasChanged, own.status == .present else { return }
        if let lastChange, now - lastChange < Self.interval { return }
        hasChanged = false
        lastChange = now
        own.counter = min(own.counter + 1, MemberRecord.maximumCounter)
        (own.displayName, own.addresses) = (description.displayName, description.addresses)
        own.links = connected.map { MemberRecord.Mark(of: $0) }.sorted().prefix(MemberRecord.maximumMemberCount).map {
            $0
        }
        for id in connected { unsent[id, default: []].insert(own.id) }
    }

    /// Sends the record to all connected peers except the sender.
    ///
    /// The owner gets it too, because it may have to refute it.
    private mutating func spread(_ id: PeerID, except sender: PeerID) {
        guard introduces else { return }
        for peer in connected where peer != sender { unsent[peer, default: []].insert(id) }
    }

    private mutating func depart(_ one: Departed) {
        departed[one.record.id] = one
        guard departed.count > Self.maximumDepartedCount,
            let oldest = departed.min(by: {
                $0.value.end == $1.value.end ? $0.key.precedes($1.key) : $0.value.end < $1.value.end
            })
        else { return }
        departed[oldest.key] = nil
    }

    private mutating func forgetDeparted(at now: ContinuousClock.Instant) {
        guard departed.contains(where: { $0.value.end <= now }) else { return }
        departed = departed.filter { $0.value.end > now }
        for id in unsent.keys { unsent[id] = unsent[id]?.filter { record(of: $0) != nil } }
    }
}
