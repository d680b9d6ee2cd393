/// A service to publish.
public struct ServiceAnnouncement: Hashable, Sendable {
    /// The preferred name.
    ///
    /// If it is in use, a number is added.
    public var name: InstanceName

    /// The type.
    public var type: ServiceType

    /// The port on which the service listens.
    public var port: UInt16

    /// The TXT record.
    public var txt: TXTRecord

    /// The only interface to publish on; nil for all.
    public var interface: NetworkInterface?

    /// The only IP version to publish with; nil for both.
    public var ipVersion: IPVersion?

    /// Creates an announcement.
    public init(
        name: InstanceName,
        type: ServiceType,
        port: UInt16,
        txt: TXTRecord = TXTRecord(),
        interface: NetworkInterface? = nil,
        ipVersion: IPVersion? = nil
    ) {
        self.name = name
        self.type = type
        self.port = port
        self.txt = txt
        self.interface = interface
        self.ipVersion = ipVersion
    }
}
