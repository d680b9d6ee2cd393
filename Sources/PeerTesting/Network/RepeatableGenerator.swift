import NIOConcurrencyHelpers

/// Random numbers that are the same each time.
///
/// The method is SplitMix64: Steele, Lea and Flood, “Fast Splittable Pseudorandom Number Generators”, 2014.
final class RepeatableGenerator: Sendable {
    private let state: NIOLockedValueBox<UInt64>

    init(seed: UInt64) { state = NIOLockedValueBox(seed) }

    /// Returns the next number.
    func next() -> UInt64 {
        let next = state.withLockedValue { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            return state
        }
        let one = (next ^ (next >> 30)) &* 0xBF58_476D_1CE4_E5B9
        let two = (one ^ (one >> 27)) &* 0x94D0_49BB_1331_11EB
        return two ^ (two >> 31)
    }
}
