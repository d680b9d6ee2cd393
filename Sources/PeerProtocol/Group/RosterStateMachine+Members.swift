/// Who the members are, and who is connected with whom.
extension RosterStateMachine {
    /// A member other than this side.
    package struct Member: Hashable, Sendable {
        /// What the member says of itself.
        package internal(set) var record: MemberRecord
        /// The member that introduced it; nil if it connected without an introduction.
        package internal(set) var introducer: PeerID?
    }

    /// Whether this side is the only member of the group.
    package var isAlone: Bool { members.isEmpty && connected.isEmpty }

    /// The number of members, this side included.
    package var memberCount: Int { 1 + connected.union(members.keys).count }

    /// Who is connected with whom, as the members say.
    package var links: [PeerID: Set<PeerID>] {
        let ids = [MemberRecord.Mark: PeerID](
            (Array(members.keys) + connected + [own.id]).map { (MemberRecord.Mark(of: $0), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        var links = members.mapValues { member in Set(member.record.links.compactMap { ids[$0] }) }
        links[own.id] = connected
        return links
    }

    /// Whether a member with which this side is connected says that it is connected with a peer.
    package func isVouchedFor(_ id: PeerID) -> Bool {
        let mark = MemberRecord.Mark(of: id)
        return connected.contains { members[$0]?.record.links.contains(mark) == true }
    }
}
