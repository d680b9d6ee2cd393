import RegionStore

/// A file that a phone sends, or wants to send.
public struct PhoneFile: Hashable, Sendable {
    /// The address of the phone.
    public var client: String
    /// The name that it says.
    public var name: String
    /// The size in bytes.
    public var size: UInt64
    /// The phone, if it sends by LocalSend; nil if its browser sends.
    public var phone: LocalSendPhone?

    /// Creates it.
    public init(client: String, name: String, size: UInt64) {
        (self.client, self.name, self.size) = (client, name, size)
    }
}
