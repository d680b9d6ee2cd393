import CSHA256

/// SHA-256 of several messages of one length at once, each in its own lane of the processor's vector registers.
///
/// Within a message each step waits for the one before, and the core with it. Chunks do not wait for each other: of 16 at
/// once, a core hashes more than twice as many bytes a second as of one. (FIPS 180-4.)
struct SHA256Lanes: Sendable {
    /// How many messages can be hashed at once.
    let count: Int

    /// The lanes that are best on this processor; nil if hashing one message after the other is.
    static let best: SHA256Lanes? =
        // Where there are instructions for one message, they are as fast as 8 lanes.
        SHA256Lanes(count: 16) ?? (csha256_has_single() ? nil : SHA256Lanes(count: 8))

    /// Creates lanes; nil if the processor has fewer.
    init?(count: Int) {
        guard count > 0, csha256_has_lanes(count) else { return nil }
        self.count = count
    }

    /// Hashes messages of one length, any number of them.
    func digests(of messages: [UnsafeRawBufferPointer]) -> [ContentDigest] {
        var digests: [ContentDigest] = []
        digests.reserveCapacity(messages.count)
        for start in stride(from: 0, to: messages.count, by: count) {
            let group = messages[start..<min(start + count, messages.count)]
            // A few are hashed faster one after the other.
            digests += group.count * 8 < count * 3 ? group.map { ContentDigest(hashing: $0) } : digestsAtOnce(of: group)
        }
        return digests
    }

    /// Hashes messages of one length, at most ``count`` of them; gives no digests for anything else.
    func digestsAtOnce(of messages: ArraySlice<UnsafeRawBufferPointer>) -> [ContentDigest] {
        guard let length = messages.first?.count, messages.count <= count,
            messages.allSatisfy({ $0.count == length && $0.baseAddress != nil })
        else { return [] }
        let starts = messages.map(\.baseAddress)
        return [ContentDigest](unsafeUninitializedCapacity: starts.count) { digests, initializedCount in
            csha256_hash(count, starts, starts.count, length, digests.baseAddress)
            initializedCount = starts.count
        }
    }
}
