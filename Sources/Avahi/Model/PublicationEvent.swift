/// A change of a published service.
public enum PublicationEvent: Hashable, Sendable {
    /// The service is published under this name.
    case published(name: InstanceName)
    /// The name is in use; the service gets this name instead.
    case renamed(InstanceName)
    /// The service is not published until the daemon or the host name is available again.
    case withdrawn
    /// Publishing failed; it is retried.
    case failed(AvahiError)
}
