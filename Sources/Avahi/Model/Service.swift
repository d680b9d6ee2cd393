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

/// The values that identify a found service.
public struct ServiceKey: Hashable, Sendable {
    /// The name of the service.
    public let name: String
    /// The type, such as `_http._tcp`.
    public let type: String
    /// The domain, usually `local`.
    public let domain: String
    /// The interface on which the service was found.
    public let interface: NetworkInterface
    /// The IP version with which the service was found.
    public let ipVersion: IPVersion
}

/// An event of a search for services.
public enum BrowseEvent: Hashable, Sendable {
    /// A new service was found.
    case found(Service)
    /// The address, port, host or TXT record of a service changed.
    case changed(Service)
    /// A service is gone, or the daemon that found it has stopped.
    case lost(ServiceKey)
    /// All services that were known at the start have been reported. More may follow at any time.
    case allForNow
    /// An error occurred; the search is retried.
    case failed(AvahiError)
}

extension BrowseEvent: LatestChange {
    /// The subject of the event.
    package var subject: SearchSubject<ServiceKey> {
        switch self {
        case .found(let service), .changed(let service): .thing(service.key)
        case .lost(let key): .thing(key)
        case .allForNow: .start
        case .failed: .search
        }
    }

    /// The kind of the event.
    package var kind: ChangeKind {
        switch self {
        case .found: .found
        case .changed: .changed
        case .lost: .lost
        case .allForNow, .failed: .word
        }
    }

    /// The event for a reader that does not know the service yet.
    package var asFound: BrowseEvent {
        if case .changed(let service) = self { .found(service) } else { self }
    }
}

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
