/// What browsing reports.
public enum BrowseEvent: Hashable, Sendable {
    /// A service is there that was not before.
    case found(Service)
    /// A service has another address, port, host or TXT record than before.
    case changed(Service)
    /// A service that was found is gone, or the daemon that saw it is.
    case lost(ServiceKey)
    /// Everything that could be known at once has been reported; more may come any time.
    case allForNow
    /// Something went wrong, and is tried again.
    case failed(AvahiError)
}
