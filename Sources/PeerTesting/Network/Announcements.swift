import PeerCore

/// The services that are announced on a network, and the programs that look for them.
///
/// A plain value.
struct Announcements {
    private struct Announcement {
        var machine: String
        var serviceType: PeerServiceType
        var sighting: PeerSighting
    }

    private struct Browser {
        var machine: String
        var serviceType: PeerServiceType
        var events: AsyncStream<PeerSighting.Event>.Continuation
        /// The keys of the sightings that were reported.
        var seen: Set<String> = []
    }

    private var announcements: [Int: Announcement] = [:]
    private var browsers: [Int: Browser] = [:]
    private var lastNumber = 0

    /// Returns a unique name: the requested one, or the requested one with a number.
    func freeName(_ wished: String, of serviceType: PeerServiceType) -> String {
        let taken = Set(announcements.values.lazy.filter { $0.serviceType == serviceType }.map(\.sighting.instanceName))
        var name = wished
        var count = 1
        while taken.contains(name) {
            count += 1
            name = "\(wished) #\(count)"
        }
        return name
    }

    /// Adds a service; others see it after ``update(_:)``.
    mutating func announce(
        _ serviceType: PeerServiceType,
        on machine: String,
        makeSighting: (_ key: String) -> PeerSighting
    ) -> Int {
        lastNumber += 1
        announcements[lastNumber] = Announcement(
            machine: machine,
            serviceType: serviceType,
            sighting: makeSighting(String(lastNumber))
        )
        return lastNumber
    }

    mutating func withdraw(_ number: Int) { announcements[number] = nil }

    /// Adds a program that looks for services, and reports all that its machine sees.
    mutating func browse(
        _ serviceType: PeerServiceType,
        on machine: String,
        _ events: AsyncStream<PeerSighting.Event>.Continuation,
        _ areJoined: (String, String) -> Bool
    ) -> Int {
        lastNumber += 1
        browsers[lastNumber] = Browser(machine: machine, serviceType: serviceType, events: events)
        update(areJoined)
        events.yield(.allForNow)
        return lastNumber
    }

    mutating func stopBrowsing(_ number: Int) { browsers[number] = nil }

    /// Reports what has changed.
    mutating func update(_ areJoined: (String, String) -> Bool) {
        let inOrder = announcements.sorted { $0.key < $1.key }.map(\.value)
        for (number, browser) in browsers.sorted(by: { $0.key < $1.key }) {
            let visible = inOrder.filter {
                $0.serviceType == browser.serviceType && areJoined($0.machine, browser.machine)
            }
            .map(\.sighting)
            let keys = Set(visible.map(\.key))
            for key in browser.seen.subtracting(keys).sorted() { browser.events.yield(.lost(key)) }
            for sighting in visible where !browser.seen.contains(sighting.key) { browser.events.yield(.seen(sighting)) }
            browsers[number]?.seen = keys
        }
    }
}
