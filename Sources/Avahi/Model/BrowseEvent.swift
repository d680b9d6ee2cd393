/// An event of a search for services.
#if compiler(>=6.3)
@nonexhaustive
#endif
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
