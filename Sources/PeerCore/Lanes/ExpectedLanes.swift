/// Which transfers of a sender expect lanes, and from which peers.
///
/// A pure value. A lane is admitted only with the secret of a transfer, from the peer of that transfer, and only if
/// that transfer has asked for it.
struct ExpectedLanes: Sendable {
    /// What a connection is that presents a secret.
    enum OnJoin: Equatable, Sendable {
        /// A lane of this transfer.
        case lane(of: Int)
        /// A lane of a transfer that does not need it any more.
        case late
        /// It belongs to no transfer.
        case stranger
    }

    private struct Entry {
        /// The secret of the request at hand.
        var secret: ConnectionSecret
        /// The secrets of requests that have been answered.
        var earlier: [ConnectionSecret]
        /// The id that the transfer's certificate proves; nil in plain text.
        var peer: PeerID?
        var room: Int
    }

    private var entries: [Int: Entry] = [:]

    /// A transfer asks its peer for more lanes.
    ///
    /// With another secret than before, they are the lanes of the next request; earlier ones come too late from now on.
    mutating func expect(_ count: Int, for transfer: Int, secret: ConnectionSecret, peer: PeerID?) {
        var entry = entries[transfer] ?? Entry(secret: secret, earlier: [], peer: peer, room: 0)
        if entry.secret != secret {
            entry.earlier.append(entry.secret)
            entry.secret = secret
            entry.room = 0
        }
        entry.room += count
        entries[transfer] = entry
    }

    /// A transfer wants no more lanes for now.
    mutating func close(_ transfer: Int) {
        entries[transfer]?.room = 0
    }

    /// A transfer has ended.
    mutating func forget(_ transfer: Int) {
        entries[transfer] = nil
    }

    /// A connection says that it belongs to a transfer.
    ///
    /// - Parameters:
    ///   - secret: The secret that it presents.
    ///   - peer: The id that its certificate proves; nil in plain text.
    /// - Returns: The transfer, if there is one.
    mutating func join(_ secret: ConnectionSecret, by peer: PeerID?) -> OnJoin {
        // Every secret is compared, so that the duration reveals nothing about them.
        let late = entries.filter { $0.value.peer == peer && $0.value.earlier.filter { $0 == secret }.count > 0 }
        let matching = entries.filter { $0.value.secret == secret }
        guard let (transfer, entry) = matching.first, entry.peer == peer else {
            return late.isEmpty ? .stranger : .late
        }
        guard entry.room > 0 else { return .late }
        entries[transfer]?.room -= 1
        return .lane(of: transfer)
    }
}

/// From which addresses lanes are still awaited.
///
/// A pure value. A lane that ends before it has said whose it is would look like a visitor; here it is told from one.
struct AwaitedLanes: Sendable {
    /// How many lanes of each transfer may still come from an address.
    private var counts: [AddressKey: [Int: Int]] = [:]

    /// A transfer awaits more lanes from its peer's address.
    mutating func expect(_ count: Int, for transfer: Int, from address: AddressKey) {
        counts[address, default: [:]][transfer, default: 0] += count
    }

    /// A connection from an address is a lane, or may have been one.
    ///
    /// A connection that its peer has closed before it was accepted has no address, and may have been any of them.
    ///
    /// - Parameter address: Where the connection came from; nil if that is not known any more.
    /// - Returns: Whether a lane was awaited from there; it is no longer.
    mutating func take(from address: AddressKey?) -> Bool {
        let known = address == .unknown ? counts.keys.first : address
        guard let address = known, let (transfer, count) = counts[address]?.first else { return false }
        counts[address]?[transfer] = count > 1 ? count - 1 : nil
        removeIfEmpty(address)
        return true
    }

    /// A transfer awaits no more lanes.
    mutating func forget(_ transfer: Int, from address: AddressKey) {
        counts[address]?[transfer] = nil
        removeIfEmpty(address)
    }

    private mutating func removeIfEmpty(_ address: AddressKey) {
        if counts[address]?.isEmpty == true { counts[address] = nil }
    }
}
