import HostNetwork

/// What Avahi sees, and what has answered directly beside it: a plain value.
///
/// What Avahi sees comes first: it hears farewells. A direct answer counts only for a service that Avahi does not see on the same
/// interface, as where multicast does not arrive.
struct SightingMerge: Sendable {
    /// A service on an interface.
    private struct Place: Hashable {
        var interface: String
        var name: String

        init?(_ sighting: PeerSighting) {
            guard let interface = sighting.interfaceName else { return nil }
            (self.interface, name) = (interface, sighting.instanceName)
        }
    }

    private struct Direct {
        var sighting: PeerSighting
        var place: Place
        /// How many questions it has not answered.
        var missed = 0
    }

    /// How many questions may get no answer before a sighting is lost.
    ///
    /// Networks that lose multicast lose questions too, and an attempt to connect finds out sooner who is gone. The lifetime of
    /// such answers, at most 10 s (RFC 6762, section 6.7), would end with the first question that gets lost.
    static let maximumMissed = 3
    /// The maximum number of sightings that come of direct answers.
    static let maximumCount = 256

    /// Where Avahi sees other machines: by the keys of the sightings, whether it is over IPv6.
    private var heard: [Place: [String: Bool]] = [:]
    private var places: [String: Place] = [:]
    private var direct: [String: Direct] = [:]

    /// Takes what Avahi reports, and returns what becomes of it.
    mutating func avahi(_ event: PeerSighting.Event) -> [PeerSighting.Event] {
        switch event {
        case .seen(let sighting):
            guard !sighting.isLocal, let place = Place(sighting) else { return [event] }
            places[sighting.key] = place
            heard[place, default: [:]][sighting.key] = sighting.isIPv6
            return [event] + forget { $0.place == place && $0.sighting.isIPv6 == sighting.isIPv6 }
        case .lost(let key):
            guard let place = places.removeValue(forKey: key) else { return [event] }
            heard[place]?[key] = nil
            guard heard[place]?.isEmpty == true else { return [event] }
            heard[place] = nil
            return [event] + forget { $0.place == place }
        case .allForNow, .failed: return [event]
        }
    }

    /// Takes what a direct answer shows.
    mutating func answered(_ sighting: PeerSighting) -> [PeerSighting.Event] {
        guard let place = Place(sighting), heard[place]?.values.contains(sighting.isIPv6) != true else { return [] }
        let before = direct[sighting.key]
        guard before != nil || direct.count < Self.maximumCount else { return [] }
        direct[sighting.key] = Direct(sighting: sighting, place: place)
        return before?.sighting == sighting ? [] : [.seen(sighting)]
    }

    /// Begins the next question.
    mutating func ask() -> [PeerSighting.Event] {
        let events = forget { $0.missed >= Self.maximumMissed }
        for key in direct.keys { direct[key]?.missed += 1 }
        return events
    }

    /// Whether to continue asking over an interface: Avahi sees no machine there, or misses one that was found in another way.
    func isNeeded(over interface: String) -> Bool {
        direct.values.contains { $0.place.interface == interface } || !heard.keys.contains { $0.interface == interface }
    }

    /// Whether a machine has not answered the last question.
    var missesAnybody: Bool { direct.values.contains { $0.missed > 0 } }

    private mutating func forget(_ isGone: (Direct) -> Bool) -> [PeerSighting.Event] {
        let keys = direct.filter { isGone($0.value) }.keys.sorted()
        for key in keys { direct[key] = nil }
        return keys.map { .lost($0) }
    }
}

extension PeerSighting {
    fileprivate var isIPv6: Bool { address.host?.isIPv6 ?? false }
}
