public import PeerCore
public import RegionStore

/// What a sender offers, and how to reach it.
public struct ListeningFacts: Sendable {
    /// This machine.
    public var local: LocalPeer
    /// The port.
    public var port: Int
    /// The usual port, if it is in use and this is another one; nil if not.
    public var usualPort: Int?
    /// The addresses, the best first.
    public var addresses: [String]
    /// The share link; nil for none.
    public var link: ShareLink?
    /// The regions, each with the size of what is offered; receivers pick if there are several.
    public var offers: [(region: RegionSummary, size: UInt64)]
    /// Whether connections are encrypted.
    public var encryption: EncryptionPreference
    /// Whether it is announced.
    public var isAdvertised: Bool
    /// What concerns a person.
    public var personal = PersonalContent()
    /// The numbers of items that are not sent because they lie outside the part.
    public var outside: [ResourceKind: Int] = [:]
    /// Whether everyone is accepted without a question.
    public var acceptsAll = false
    /// Whether the sender stops after the first complete transfer.
    public var stopsAfterFirst = false

    /// The size of all regions, in bytes.
    public var size: UInt64 { offers.reduce(0) { $0 + $1.size } }
}
