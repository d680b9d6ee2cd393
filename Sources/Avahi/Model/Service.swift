/// A service found by browsing, as seen over one interface and one version of the internet protocol.
///
/// A device that is reachable in several ways gives several of these. Everything in it is a claim of whoever sent it.
public struct Service: Hashable, Sendable {
    /// What tells this service from all others.
    public var key: ServiceKey

    /// The name of the host that offers it, as in `laptop.local`.
    public var hostName: String

    /// An address of the host.
    public var address: ServiceAddress

    /// The port.
    public var port: UInt16

    /// The TXT record.
    public var txt: TXTRecord

    /// Whether it is published on this machine, by any program.
    public var isLocal: Bool

    /// Whether it is published over the same connection to the daemon that browses.
    public var isOwn: Bool

    /// The name of the service.
    public var name: String { key.name }

    /// The interface over which it was seen.
    public var interface: NetworkInterface { key.interface }
}
