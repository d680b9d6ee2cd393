import CAvahi

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

    /// How many services one browser keeps track of.
    ///
    /// The daemon grants a program 1024 objects altogether.
    static let maximumSightings = 512

    let type: ServiceType
    let interface: NetworkInterface?
    let ipVersion: IPVersion?
    let events: AsyncStream<BrowseEvent>.Continuation
    var handle: BrowserHandle?
    var handleNumber: UInt64 = 0
    var sightings: [ServiceKey: Sighting] = [:]
    var isFull = false
    var overflow = BrowserOverflow()
    var retrying = Backoff(first: .seconds(1), limit: .seconds(30))

    /// Takes a service that the daemon sees; true if it is to be resolved now.
    ///
    /// If there are too many, it waits until another one disappears.
    mutating func appeared(_ key: ServiceKey, _ sighting: Sighting, _ flags: AvahiLookupResultFlags) -> Bool {
        guard sightings[key] == nil else { return false }
        guard sightings.count < Self.maximumSightings else {
            overflow.keep(key, flags)
            if !isFull { events.yield(.failed(.translating(Int32(AVAHI_ERR_TOO_MANY_OBJECTS)))) }
            isFull = true
            return false
        }
        sightings[key] = sighting
        return true
    }

    /// Forgets a service that the daemon no longer sees; returns one that has waited and gets its place.
    mutating func disappeared(_ key: ServiceKey) -> (key: ServiceKey, flags: AvahiLookupResultFlags)? {
        if sightings.removeValue(forKey: key)?.service != nil { events.yield(.lost(key)) }
        return overflow.forget(key, hasRoom: sightings.count < Self.maximumSightings)
    }

    /// Takes the daemon's knowledge away: everything that was found is lost.
    mutating func loseEverything() {
        handle = nil
        isFull = false
        overflow = BrowserOverflow()
        for (key, sighting) in sightings where sighting.service != nil {
            events.yield(.lost(key))
        }
        sightings = [:]
    }
}
