public import RegionStore

/// Something about the page for phones, which a sender shows besides sending.
///
/// What is added to the store is told as if it was imported here (``ImportingHappening``).
public enum PhoneHappening: Sendable {
    /// The page is shown.
    case shown(PhonePageFacts)
    /// A download from the page has begun, continued or ended.
    case download(PhoneDownload)
    /// A piece of a file that a phone sends has arrived; with the whole size also when the file has ended early.
    case upload(PhoneUpload)
    /// A file that has come is examined; nil at the end.
    case examining(PhoneFile, ImportProgress?)
    /// A file cannot be added, and its phone was told why.
    case unusable(PhoneFile)
    /// Nobody has answered in time, so a file was not added.
    case unanswered(PhoneFile)
    /// This machine could not add a file.
    case failed(PhoneFile, any Error)
}

/// The page for phones.
public struct PhonePageFacts: Hashable, Sendable {
    /// Where it is.
    public var address: PhonePageAddress
    /// Whether there is something on it that concerns a person.
    public var hasPersonal: Bool
    /// What receivers get and the page does not have, because it concerns a person; nil if there is nothing.
    public var leftOut: PersonalContent?
    /// Whether it is in a Wi-Fi network of this machine's own, which is encrypted.
    public var isOwnNetwork: Bool

    /// Creates it.
    public init(address: PhonePageAddress, hasPersonal: Bool, leftOut: PersonalContent?, isOwnNetwork: Bool) {
        (self.address, self.hasPersonal) = (address, hasPersonal)
        (self.leftOut, self.isOwnNetwork) = (leftOut, isOwnNetwork)
    }
}

/// A file that a phone sends, or wants to send.
public struct PhoneFile: Hashable, Sendable {
    /// The address of the phone.
    public var client: String
    /// The name that its browser has given.
    public var name: String
    /// The size in bytes.
    public var size: UInt64

    /// Creates it.
    public init(client: String, name: String, size: UInt64) {
        (self.client, self.name, self.size) = (client, name, size)
    }
}

/// How much of a file that a phone sends has arrived.
public struct PhoneUpload: Hashable, Sendable {
    /// The number of the file, from 1.
    public var number: Int
    /// The file.
    public var file: PhoneFile
    /// The number of bytes that have arrived.
    public var length: UInt64

    /// The fraction of the file that has arrived, from 0 to 1.
    public var fraction: Double { file.size == 0 ? 1 : min(1, Double(length) / Double(file.size)) }

    /// Creates it.
    public init(number: Int, file: PhoneFile, length: UInt64) {
        (self.number, self.file, self.length) = (number, file, length)
    }
}

/// The state of a download from the page for phones.
public struct PhoneDownload: Hashable, Sendable {
    /// The state.
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
    /// The number of bytes that were sent, from the start of the file.
    public private(set) var bytes: UInt64 = 0
    /// The state.
    public private(set) var state = State.running

    /// The fraction of the file that was sent, from 0 to 1.
    public var fraction: Double { size == 0 ? 1 : min(1, Double(bytes) / Double(size)) }

    /// Creates a download of which nothing was sent.
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

/// Why the page for phones is not shown.
public enum PhoneError: SharingError, Hashable {
    /// The page cannot be served on this port, for a reason in the system's words.
    case port(Int, reason: String)
}
