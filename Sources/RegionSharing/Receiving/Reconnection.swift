import PeerCore
import RegionStore

/// That a receiver will connect again, and when.
public struct Reconnection: Sendable {
    /// How many attempts in a row have brought nothing, with the next one.
    public var attempt: Int
    /// How many there are at most.
    public var maximumAttempts: Int
    /// The time until then.
    public var delay: Duration
    /// Why the last one failed.
    public var error: any Error
    /// Why the machines do not meet, if that was looked for and found.
    public var cause: NetworkCause?
    /// Whether the one before said the same.
    public var isRepeated = false

    /// Whether it says the same as another one: without a network, every attempt does.
    func saysTheSame(as other: Reconnection?) -> Bool {
        guard let other, cause == other.cause else { return false }
        return cause?.isAbsence == true
            || attempt == other.attempt && maximumAttempts == other.maximumAttempts && delay == other.delay
                && error as? PeerError == other.error as? PeerError
    }
}
