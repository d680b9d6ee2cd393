/// What happens to a published service.
public enum PublicationEvent: Hashable, Sendable {
    /// The service can be found by others, under this name.
    case published(name: InstanceName)
    /// The name was taken, another one is used from now on.
    case renamed(InstanceName)
    /// The service cannot be found any more until it is published again: the daemon or the network's names are gone.
    case withdrawn
    /// Publishing failed, and is tried again.
    case failed(AvahiError)
}
