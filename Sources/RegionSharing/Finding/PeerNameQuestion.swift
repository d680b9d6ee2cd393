import PeerCore
public import RegionStore

/// What to call a trusted machine.
public struct PeerNameQuestion: Question {
    /// The machine, with the name that it has given itself.
    public let peer: TrustedPeer
    /// Why the last answer was not taken: another machine has the name; nil if there was none.
    public internal(set) var conflict: RegionStoreError?

    /// The name that it has.
    public var defaultAnswer: OwnName? { nil }
}
