package import PeerCore
package import RegionStore

/// What a sender offers, and how to reach it.
package struct ListeningFacts: Sendable {
    /// This machine.
    package var local: LocalPeer
    /// The port.
    package var port: Int
    /// The usual port, if it is in use and this is another one; nil if not.
    package var usualPort: Int?
    /// The addresses, the best first.
    package var addresses: [String]
    /// The share link; nil for none.
    package var link: ShareLink?
    /// The regions, each with the size of what is offered; receivers pick if there are several.
    package var offers: [(region: RegionSummary, size: UInt64)]
    /// Whether connections are encrypted.
    package var encryption: EncryptionPreference
    /// Whether it is announced.
    package var isAdvertised: Bool
    /// What concerns a person.
    package var personal = PersonalContent()
    /// The numbers of items that are not sent because they lie outside the part.
    package var outside: [ResourceKind: Int] = [:]
    /// Whether everyone is accepted without a question.
    package var acceptsAll = false
    /// Whether the sender stops after the first complete transfer.
    package var stopsAfterFirst = false

    /// The size of all regions, in bytes.
    package var size: UInt64 { offers.reduce(0) { $0 + $1.size } }
}

/// Where a sender can be reached after its network has changed.
package struct AddressChange: Hashable, Sendable {
    /// What the change is for others.
    package enum Meaning: Hashable, Sendable {
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
    package var addresses: [String]
    /// The share link; nil for none.
    package var link: ShareLink?
    /// What it is for others.
    package var meaning: Meaning
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
