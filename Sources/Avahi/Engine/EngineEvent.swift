/// An event that the engine handles; it handles one at a time.
///
/// The numbers distinguish events of an object from events of the objects before it.
enum EngineEvent: Sendable {
    /// An event of the client with this number.
    case client(UInt64, ClientNews)
    /// An event of a publisher's entry group with this number.
    case entryGroup(UInt64, publisher: UInt64, EntryGroupNews)
    /// An event of a browser's handle with this number.
    case browser(UInt64, browser: UInt64, BrowserNews)
    /// An event of the resolver with this number, for a service that a browser has found.
    case resolver(UInt64, browser: UInt64, ServiceKey, ResolverNews)
    /// Create a client.
    case connect
    /// Replace the client with this number unless it has reached the daemon.
    case renew(client: UInt64)
    /// Announce a publisher's service.
    case publish(publisher: UInt64)
    /// The time in which an entry group must be established is over.
    case checkEstablished(group: UInt64, publisher: UInt64)
    /// Start a browser.
    case browse(browser: UInt64)
    /// Resolve a service.
    case resolve(browser: UInt64, ServiceKey)
    /// End a browser.
    case endBrowsing(browser: UInt64)
    /// End an observer of the state.
    case endWatching(watcher: UInt64)
    /// Handle another event after some time.
    indirect case later(EngineEvent, Duration)
}
