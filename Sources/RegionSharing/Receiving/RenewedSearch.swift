import PeerCore
import RegionStore

/// What has ended, and whom a receiver looks for before it gives up.
public struct RenewedSearch: Sendable {
    /// Whom it looks for.
    #if compiler(>=6.3)
    @nonexhaustive
    #endif
    public enum Wanted: String, Sendable {
        /// The same sender, at another address.
        case sender
        /// Another sender of the same map.
        case otherSender
    }

    /// What has ended.
    public var error: any Error
    /// Whom it looks for.
    public var wanted: Wanted
}
