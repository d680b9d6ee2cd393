/// A search for services of one type.
struct Browser {
    /// A service that the daemon sees, whether it is resolved yet or not.
    struct Sighting {
        var isLocal: Bool
        var isOwn: Bool
        var resolver: ResolverHandle?
        var resolverNumber: UInt64 = 0
        /// What was last reported; nil before the first success.
        var service: Service?
        var retrying = Backoff(first: .seconds(1), limit: .seconds(30))
    }

    let type: ServiceType
    let interface: NetworkInterface?
    let ipVersion: IPVersion?
    let events: AsyncStream<BrowseEvent>.Continuation
    var handle: BrowserHandle?
    var handleNumber: UInt64 = 0
    var sightings: [ServiceKey: Sighting] = [:]
    var isFull = false
    var retrying = Backoff(first: .seconds(1), limit: .seconds(30))

    /// Takes the daemon's knowledge away: everything that was found is lost.
    mutating func loseEverything() {
        handle = nil
        isFull = false
        for (key, sighting) in sightings where sighting.service != nil {
            events.yield(.lost(key))
        }
        sightings = [:]
    }
}
