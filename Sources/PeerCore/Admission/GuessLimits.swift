/// How often an attacker may guess: the digits of a pairing, or the token of a share link. (Docs/Threats.md, "How sure
/// pairing is".)
package struct GuessLimits: Sendable {
    // A receiver waits 5 s for the digits. By then, a man in the middle has at most 17 pairings with the sender whose digits
    // may match: 8 that wait for a person, 8 new ones at once, and 1 more.

    /// How many pairings may begin at a sender at once, from all addresses together.
    package var pairingBurst = 8
    /// The time after which one more pairing may begin.
    package var pairingInterval: Duration = .seconds(5)
    /// The time for which an address that has begun a pairing leaves the last slot to other addresses.
    package var pairingMemory: Duration = .seconds(3600)
    /// The number of failed pairings within ``lockDuration`` after which an address cannot pair.
    package var maximumPairingFailures = 3
    /// The number of wrong tokens within ``lockDuration`` after which every token from the address is rejected.
    package var maximumWrongTokens = 5
    /// The time for which failures count, and for which an address is locked out after too many of them.
    package var lockDuration: Duration = .seconds(60)

    /// Creates the default limits.
    package init() {}

    /// Locks out addresses that fail to pair.
    func makePairingLockout() -> AddressLockout {
        AddressLockout(maximumFailures: maximumPairingFailures, window: lockDuration)
    }

    /// Locks out addresses that present wrong tokens.
    func makeTokenLockout() -> AddressLockout {
        AddressLockout(maximumFailures: maximumWrongTokens, window: lockDuration)
    }

    /// Limits how often pairings begin.
    func makePairingRateLimiter() -> PairingRateLimiter {
        PairingRateLimiter(burst: pairingBurst, interval: pairingInterval, memory: pairingMemory)
    }
}
