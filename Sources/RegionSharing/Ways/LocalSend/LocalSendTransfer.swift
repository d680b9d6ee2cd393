public import PeerCore
package import RegionStore

/// The state of a file that is sent to a phone by LocalSend.
public struct LocalSendTransfer: Hashable, Sendable {
    /// How it stands.
    #if compiler(>=6.3)
    @nonexhaustive
    #endif
    public enum State: Hashable, Sendable {
        /// The file is being made.
        case preparing
        /// The person at this machine is asked: for the PIN of the phone, or what of the region it gets.
        case asking
        /// The phone asks its person.
        case waiting
        /// The file is sent.
        case running
        /// The phone has the whole file, and has said so.
        case complete
        /// It has ended without success.
        case ended(LocalSendEnd)
    }

    /// The number of the transfer, from 1.
    public var number: Int
    /// The phone.
    public var phone: LocalSendPhone
    /// The name of the file.
    public var name: String
    /// The size of the file, in bytes; 0 before it is known.
    public var size: UInt64
    /// The bytes that were sent.
    public var bytes: UInt64 = 0
    /// How it stands.
    public var state = State.preparing
    /// Its place among receivers and downloads; nil if it is alone.
    public var turn: TransferTurn?
    /// The time that the rest takes, in seconds; nil if it is not known.
    public var secondsLeft: Double?

    /// What the file lacks of the region, as sentences; nil if it has everything, or is not made yet.
    public var lack: String?
    /// The kinds of files that have the whole map; empty if this one has it, or is not made yet.
    package var wholeKinds: [DownloadKind] = []
    /// What concerns a person and was left out of the file, in words; empty if nothing was, or if it is not made yet.
    public var leftOut: [String] = []

    /// The fraction of the file that was sent, from 0 to 1.
    public var fraction: Double { size == 0 ? 1 : min(1, Double(bytes) / Double(size)) }

    /// Whether it has ended, with or without success.
    public var isOver: Bool {
        switch state {
        case .preparing, .asking, .waiting, .running: false
        case .complete, .ended: true
        }
    }

    /// Creates a transfer before its first byte.
    public init(number: Int, phone: LocalSendPhone, name: String, size: UInt64) {
        (self.number, self.phone, self.name, self.size) = (number, phone, name, size)
    }
}
