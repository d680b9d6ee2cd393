/// Which transfers of a sender expect lanes, and from which peers.
///
/// A pure value; the time is passed in. A lane is admitted only with the secret of a transfer, from the peer of that transfer, and
/// only if that transfer has asked for it. A lane can come after its transfer has ended, or end before it has said whose it is; it
/// would look like a visitor, and here it is told from one.
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
        var earlier: [ConnectionSecret] = []
        /// The id that the transfer's certificate proves; nil in plain text.
        let peer: PeerID?
        /// Where the peer is; nil if that is not known any more.
        let address: AddressKey?
        /// How many may still join.
        var room = 0
        /// How many were asked for and have not come.
        var awaited = 0
        /// When the transfer ended; nil while it runs.
        var end: ContinuousClock.Instant?

        func isSecret(_ secret: ConnectionSecret) -> Bool {
            // Every secret is compared, so that the duration reveals nothing about them.
            ([self.secret] + earlier).count { $0 == secret } > 0
        }
    }

    /// For how long the lanes of a transfer that has ended are known: at least as long as a connection may take to be opened and to
    /// say whose it is.
    static let memory: Duration = .seconds(30)
    /// The greatest number of transfers that have ended and are known.
    static let maximumEndedCount = 64

    private var entries: [Int: Entry] = [:]

    /// A transfer asks its peer for more lanes.
    ///
    /// With another secret than before, they are the lanes of the next request; earlier ones come too late from now on.
    mutating func expect(
        _ count: Int,
        for transfer: Int,
        secret: ConnectionSecret,
        peer: PeerID?,
        from address: AddressKey?
    ) {
        var entry = entries[transfer] ?? Entry(secret: secret, peer: peer, address: address)
        if entry.secret != secret {
            entry.earlier.append(entry.secret)
            entry.secret = secret
            entry.room = 0
        }
        entry.room += count
        entry.awaited += count
        entries[transfer] = entry
    }

    /// A transfer needs no further lanes for now.
    mutating func close(_ transfer: Int) { entries[transfer]?.room = 0 }

    /// A transfer has ended; what it awaits is known for some time.
    mutating func ended(_ transfer: Int, at now: ContinuousClock.Instant) {
        forgetOld(at: now)
        guard let entry = entries[transfer] else { return }
        guard entry.awaited > 0 else {
            entries[transfer] = nil
            return
        }
        entries[transfer]?.room = 0
        entries[transfer]?.end = now
        let ended = entries.compactMap { number, entry in entry.end.map { (number, $0) } }
        if ended.count > Self.maximumEndedCount, let oldest = ended.min(by: { $0.1 < $1.1 }) { entries[oldest.0] = nil }
    }

    private mutating func forgetOld(at now: ContinuousClock.Instant) {
        entries = entries.filter { _, entry in entry.end.map { now - $0 < Self.memory } ?? true }
    }

    /// A connection says that it belongs to a transfer.
    mutating func join(_ secret: ConnectionSecret, by peer: PeerID?) -> OnJoin {
        let matching = entries.filter { $0.value.isSecret(secret) }
        guard let (transfer, entry) = matching.first, entry.peer == peer else { return .stranger }
        entries[transfer]?.awaited = max(0, entry.awaited - 1)
        guard entry.secret == secret, entry.room > 0 else { return .late }
        entries[transfer]?.room -= 1
        return .lane(of: transfer)
    }

    /// A connection has ended that has not said whose it is; returns whether a lane was awaited from there.
    ///
    /// A connection that its peer has closed before it was accepted has no address, and may have been any of those that are
    /// awaited.
    mutating func lost(from address: AddressKey?, at now: ContinuousClock.Instant) -> Bool {
        forgetOld(at: now)
        guard let address else { return false }
        let awaited = entries.first { _, entry in
            entry.awaited > 0 && (address == .unknown || entry.address == address)
        }
        guard let transfer = awaited?.key else { return false }
        entries[transfer]?.awaited -= 1
        return true
    }
}
