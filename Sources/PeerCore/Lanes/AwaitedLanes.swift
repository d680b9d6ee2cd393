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
