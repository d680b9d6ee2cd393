/// What the engine handles, one after the other.
///
/// Numbers tell news of an object from those of its predecessors.
enum EngineEvent: Sendable {
    case client(UInt64, ClientNews)
    case entryGroup(UInt64, publisher: UInt64, EntryGroupNews)
    case browser(UInt64, browser: UInt64, BrowserNews)
    case resolver(UInt64, browser: UInt64, ServiceKey, ResolverNews)
    case connect
    case publish(publisher: UInt64)
    case checkEstablished(group: UInt64, publisher: UInt64)
    case browse(browser: UInt64)
    case resolve(browser: UInt64, ServiceKey)
    case endBrowsing(browser: UInt64)
    case endWatching(watcher: UInt64)
    indirect case later(EngineEvent, Duration)
}
