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
