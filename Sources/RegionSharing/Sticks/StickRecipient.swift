public import PeerCore
package import RegionStore

/// A machine that has written a request to a stick.
public struct StickRecipient: Sendable {
    package var request: StickRequest
    /// What this machine knows of the key.
    public var trust: PeerTrust

    /// Whether the machine is trusted.
    var isTrusted: Bool { if case .trusted = trust { true } else { false } }
}
