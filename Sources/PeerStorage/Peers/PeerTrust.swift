/// Whether a peer is trusted.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum PeerTrust: Hashable, Sendable {
    /// The peer is not trusted yet.
    case unknown
    /// A person has confirmed this peer, which has this name in the list.
    case trusted(name: String)
    /// The list has this peer under this name, but no person has confirmed it.
    ///
    /// Such a peer is admitted as a trusted one is, but is not shown as verified. A list of a group returns this for the peers that
    /// members have introduced, so that they are members after a restart, too.
    case known(name: String)
    /// The peer uses the name of a trusted peer, but has another key: it is another machine, or has a new identity.
    ///
    /// Such a peer is refused without asking a person.
    case impostor(name: String)

    /// The name under which the list has the peer; nil if it does not have it.
    package var listedName: String? {
        switch self {
        case .trusted(let name), .known(let name): name
        case .unknown, .impostor: nil
        }
    }

    /// Whether the list has the peer, so that no person is asked about it.
    package var isAdmitted: Bool { listedName != nil }
}
