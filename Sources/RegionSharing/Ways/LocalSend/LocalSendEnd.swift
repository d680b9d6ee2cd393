/// Why a phone does not have a file.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum LocalSendEnd: Hashable, Sendable {
    /// The person at the phone said no.
    case declined
    /// The phone says that it needs nothing of it.
    case notNeeded
    /// The phone wants a PIN, and there is nobody to ask for it, or nobody gave it.
    case noPIN
    /// The PIN was wrong too often.
    case wrongPIN
    /// The phone does something else with LocalSend.
    case busy
    /// It was cancelled on the phone.
    case cancelledThere
    /// It was stopped here.
    case stoppedHere
    /// Nobody answers at the address of the phone.
    case unreachable
    /// Another device answers at the address: its certificate is not that of the phone.
    case otherDevice
    /// The connection was lost.
    case lost
    /// What has arrived was damaged each time.
    case damaged
    /// The file could not be made, for a reason that is a sentence.
    case noFile(String)
    /// The phone could not take it, and answered with this number.
    case failedThere(status: Int)
}
