/// A service found on one interface with one IP version.
///
/// A device on several interfaces, or with both IP versions, is found as several services. Other machines have
/// announced the values, and nothing proves that they are true.
public struct Service: Hashable, Sendable {
    /// Identifies the service.
    public var key: ServiceKey

    /// The name of the host that offers the service, such as `laptop.local`.
    public var hostName: String

    /// An address of the host.
    public var address: ServiceAddress

    /// The port.
    public var port: UInt16

    /// The TXT record.
    public var txt: TXTRecord

    /// Whether a program on this machine publishes the service.
    public var isLocal: Bool

    /// Whether the connection that browses publishes the service.
    public var isOwn: Bool

    /// The name of the service.
    public var name: String { key.name }

    /// The interface on which the service was found.
    public var interface: NetworkInterface { key.interface }
}
