/// What the engine handles, one after the other.
///
/// Numbers tell news of an object from those of its predecessors.
enum EngineEvent: Sendable {
    /// News of the client with this number.
    case client(UInt64, ClientNews)
    /// News of the entry group with this number, of a publisher.
    case entryGroup(UInt64, publisher: UInt64, EntryGroupNews)
    /// News of the handle with this number, of a browser.
    case browser(UInt64, browser: UInt64, BrowserNews)
    /// News of the resolver with this number, of a service that a browser has found.
    case resolver(UInt64, browser: UInt64, ServiceKey, ResolverNews)
    /// A client is to be made.
    case connect
    /// A publisher wants its service announced.
    case publish(publisher: UInt64)
    /// An entry group has had its time to be established.
    case checkEstablished(group: UInt64, publisher: UInt64)
    /// A browser wants to begin.
    case browse(browser: UInt64)
    /// A service is to be resolved.
    case resolve(browser: UInt64, ServiceKey)
    /// A browser is to end.
    case endBrowsing(browser: UInt64)
    /// A watcher of the state is to end.
    case endWatching(watcher: UInt64)
    /// Another event, after some time.
    indirect case later(EngineEvent, Duration)
}
