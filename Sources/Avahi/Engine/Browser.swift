import CAvahi

/// A search for services of one type.
struct Browser {
    /// A service that the daemon lists, resolved or not.
    struct Sighting {
        var isLocal: Bool
        var isOwn: Bool
        var resolver: ResolverHandle?
        var resolverNumber: UInt64 = 0
        /// The last reported result; nil before the first one.
        var service: Service?
        var retrying = AvahiEngine.Backoff(first: .seconds(1), limit: .seconds(30))
    }

    /// How many services one browser keeps track of; the daemon allows a program 1,024 objects in all.
    static let maximumSightings = 512

    let type: ServiceType
    let interface: NetworkInterface?
    let ipVersion: IPVersion?
    let events: LatestChanges<BrowseEvent>
    var handle: BrowserHandle?
    var handleNumber: UInt64 = 0
    var sightings: [ServiceKey: Sighting] = [:]
    var isFull = false
    var overflow = Overflow()
    var retrying = AvahiEngine.Backoff(first: .seconds(1), limit: .seconds(30))

    /// Adds a service that the daemon lists; returns whether to resolve it now.
    ///
    /// If there are too many, the service waits until another one disappears.
    mutating func appeared(_ key: ServiceKey, _ sighting: Sighting, _ flags: AvahiLookupResultFlags) -> Bool {
        guard sightings[key] == nil else { return false }
        guard sightings.count < Self.maximumSightings else {
            overflow.keep(key, flags)
            if !isFull { events.add(.failed(.translating(Int32(AVAHI_ERR_TOO_MANY_OBJECTS)))) }
            isFull = true
            return false
        }
        sightings[key] = sighting
        return true
    }

    /// Removes a service that the daemon no longer lists; returns a waiting service that takes its place.
    mutating func disappeared(_ key: ServiceKey) -> (key: ServiceKey, flags: AvahiLookupResultFlags)? {
        if sightings.removeValue(forKey: key)?.service != nil { events.add(.lost(key)) }
        return overflow.forget(key, hasRoom: sightings.count < Self.maximumSightings)
    }

    /// The daemon has ended: all found services are lost.
    mutating func loseEverything() {
        handle = nil
        isFull = false
        overflow = Overflow()
        for (key, sighting) in sightings where sighting.service != nil {
            events.add(.lost(key))
        }
        sightings = [:]
    }
}

extension Browser {
    /// The services that a full browser cannot resolve yet, the oldest first.
    ///
    /// The daemon reports each service once, so a service that is not kept here would never be found.
    struct Overflow {
        /// The maximum number of services that wait; a machine on the network can announce any number.
        static let maximumCount = 4096

        private var flags: [ServiceKey: AvahiLookupResultFlags] = [:]
        private var order: [ServiceKey] = []

        /// The number of services that wait.
        var count: Int { flags.count }

        /// Keeps a service until there is room; drops it if too many wait.
        mutating func keep(_ key: ServiceKey, _ flags: AvahiLookupResultFlags) {
            guard self.flags.count < Self.maximumCount, self.flags.updateValue(flags, forKey: key) == nil else {
                return
            }
            order.append(key)
        }

        /// Removes a service that the daemon no longer lists; returns a waiting service that takes its place.
        mutating func forget(_ key: ServiceKey, hasRoom: Bool) -> (key: ServiceKey, flags: AvahiLookupResultFlags)? {
            if flags.removeValue(forKey: key) != nil { order.removeAll { $0 == key } }
            guard hasRoom, let first = order.first, let flags = flags.removeValue(forKey: first) else { return nil }
            order.removeFirst()
            return (first, flags)
        }
    }
}
