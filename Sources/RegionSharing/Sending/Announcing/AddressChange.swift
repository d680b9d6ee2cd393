public import PeerCore
import RegionStore

/// Where a sender can be reached after its network has changed.
public struct AddressChange: Hashable, Sendable {
    /// What the change is for others.
    #if compiler(>=6.3)
    @nonexhaustive
    #endif
    public enum Meaning: Hashable, Sendable {
        /// There is no address any more.
        case away
        /// What was told is true again.
        case back
        /// What was told is still true.
        case same
        /// There is another way than what was told.
        case new
    }

    /// The addresses, the best first.
    public var addresses: [String]
    /// The share link; nil for none.
    public var link: ShareLink?
    /// What it is for others.
    public var meaning: Meaning
}

/// The addresses of a sender, as they were told.
struct ToldAddresses: Sendable {
    private var current: [String]
    private var told: [String]

    /// Creates the addresses that are told first.
    init(_ addresses: [String]) { (current, told) = (addresses, addresses) }

    /// Returns what other addresses mean; nil if they are the same.
    mutating func changed(to addresses: [String]) -> AddressChange.Meaning? {
        guard addresses != current else { return nil }
        let wasAway = current.isEmpty
        current = addresses
        guard !addresses.isEmpty else { return .away }
        // The addresses come back one after the other, and what was told is still true.
        if addresses.allSatisfy(told.contains), wasAway || addresses.first == told.first {
            return wasAway ? .back : .same
        }
        told = addresses
        return .new
    }
}
