public import PeerCore
import RegionStore

/// The state of a download from the page for phones.
public struct PhoneDownload: Hashable, Sendable {
    /// The state.
    #if compiler(>=6.3)
    @nonexhaustive
    #endif
    public enum State: String, Hashable, Sendable {
        case running, complete, interrupted
    }

    /// The number of the answer, from 1.
    public var number: Int
    /// The address of the phone.
    public var client: String
    /// The name of the file.
    public var name: String
    /// The size of the file, in bytes.
    public var size: UInt64
    /// Its place among receivers and other downloads; nil if it is alone.
    public var turn: TransferTurn?
    /// The number of bytes that were sent, from the start of the file.
    public private(set) var bytes: UInt64 = 0
    /// The state.
    public private(set) var state = State.running

    /// The fraction of the file that was sent, from 0 to 1.
    public var fraction: Double { size == 0 ? 1 : min(1, Double(bytes) / Double(size)) }

    /// Creates a download before its first byte.
    public init(number: Int, client: String, name: String, size: UInt64) {
        (self.number, self.client, self.name, self.size) = (number, client, name, size)
    }

    /// The file was sent up to a position.
    public mutating func sent(upTo position: UInt64) { bytes = max(bytes, min(position, size)) }

    /// The answer has ended.
    ///
    /// A browser may ask for a part in the middle only, so a complete answer is not always a complete file.
    public mutating func ended(isComplete: Bool) {
        state = isComplete && bytes == size ? .complete : .interrupted
    }
}
