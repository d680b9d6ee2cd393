import NIOConcurrencyHelpers
package import NIOCore

/// Counts failed attempts by address and locks an address out for a while after too many.
///
/// A pure value; the time is passed in. One address never locks out another. The number of remembered addresses is bounded.
struct AddressLockout: Sendable {
    private struct Record {
        var failures: [ContinuousClock.Instant] = []
        var lockedUntil: ContinuousClock.Instant?

        var last: ContinuousClock.Instant? { max(failures.last, lockedUntil) }

        private func max(_ one: ContinuousClock.Instant?, _ other: ContinuousClock.Instant?) -> ContinuousClock.Instant?
        {
            guard let one, let other else { return one ?? other }
            return Swift.max(one, other)
        }
    }

    /// How many addresses are remembered.
    ///
    /// Beyond that, the address with the oldest failure is forgotten.
    static let maximumAddressCount = 1024

    private let maximumFailures: Int
    private let window: Duration
    private var records: [AddressKey: Record] = [:]

    /// Creates a lockout.
    ///
    /// - Parameters:
    ///   - maximumFailures: How many failures lock an address.
    ///   - window: How long a failure counts, and how long an address stays locked.
    init(maximumFailures: Int, window: Duration) {
        self.maximumFailures = max(1, maximumFailures)
        self.window = window
    }

    /// How long an address is still locked; nil if it is not.
    func timeLocked(_ address: AddressKey, at now: ContinuousClock.Instant) -> Duration? {
        guard let until = records[address]?.lockedUntil, until > now else { return nil }
        return until - now
    }

    /// Counts a failure.
    mutating func failed(_ address: AddressKey, at now: ContinuousClock.Instant) {
        records = records.filter { _, record in record.last.map { now - $0 < window } ?? false }
        var record = records[address] ?? Record()
        record.failures = record.failures.filter { now - $0 < window } + [now]
        if record.failures.count >= maximumFailures {
            record.failures = []
            record.lockedUntil = now + window
        }
        records[address] = record
        if records.count > Self.maximumAddressCount,
            let stalest = records.min(by: { ($0.value.last ?? now) < ($1.value.last ?? now) })?.key
        {
            records[stalest] = nil
        }
    }
}

/// The failed pairings of a receiver by address, shared by all its connections.
final class PairingFailures: Sendable {
    private let lockout: NIOLockedValueBox<AddressLockout>

    init(_ configuration: ConnectionConfiguration) {
        lockout = NIOLockedValueBox(configuration.guesses.makePairingLockout())
    }

    /// How long an address is still locked out; nil if it may pair.
    func timeLocked(_ address: AddressKey, at now: ContinuousClock.Instant) -> Duration? {
        lockout.withLockedValue { $0.timeLocked(address, at: now) }
    }

    /// Counts a pairing that began and failed.
    func failed(_ address: AddressKey, at now: ContinuousClock.Instant) {
        lockout.withLockedValue { $0.failed(address, at: now) }
    }
}

/// The identity of a machine when connections are counted by address.
///
/// It is the whole address: all machines of a network share one IPv6 prefix, so counting by prefix would count neighbours
/// together. A machine with many addresses is limited by the bounds over all addresses. Ports and zones do not count. An
/// IPv4 address mapped into IPv6 is the IPv4 address.
package struct AddressKey: Hashable, Sendable {
    private let bytes: [UInt8]

    /// Creates the key of an address; all addresses that are neither IPv4 nor IPv6 have the same.
    package init(_ address: SocketAddress?) {
        switch address {
        case .v4(let address):
            // sockaddr_in (POSIX, netinet/in.h) holds family, port and address; sockaddr_in6 a flow label before it.
            bytes = withUnsafeBytes(of: address.address) { Array($0[4..<8]) }
        case .v6(let address):
            let all = withUnsafeBytes(of: address.address) { Array($0[8..<24]) }
            bytes = all.starts(with: Self.mappedPrefix) ? Array(all.dropFirst(Self.mappedPrefix.count)) : all
        case .unixDomainSocket, nil:
            bytes = []
        }
    }

    /// The key of a connection without an address.
    static let unknown = AddressKey(nil)

    /// IPv4 in IPv6 (RFC 4291, section 2.5.5.2).
    private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
}
