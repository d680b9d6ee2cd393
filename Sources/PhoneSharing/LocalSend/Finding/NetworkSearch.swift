import HostNetwork
import LocalSend

/// Which addresses of a network of this machine's own are tried, when no device there has been heard.
///
/// Some Wi-Fi cards and phones lose multicast. In the own network there are few other machines, and none is disturbed.
struct NetworkSearch: Sendable {
    /// The time for devices to answer an announcement.
    private static let patience: Duration = .seconds(5)
    /// The time between two searches.
    private static let interval: Duration = .seconds(60)
    /// The prefix of the largest network that is searched.
    private static let shortestPrefix = 24

    private var next: ContinuousClock.Instant

    init(at now: ContinuousClock.Instant) { next = now + Self.patience }

    /// Returns whether it is time for a search, which then begins.
    mutating func isDue(at now: ContinuousClock.Instant, hasNeighbours: Bool) -> Bool {
        guard now >= next else { return false }
        next = now + Self.interval
        return !hasNeighbours
    }

    /// Returns the addresses in which devices of a network may be, those of known machines first.
    static func addresses(of network: LocalNetwork, known: [IPAddress]) -> [IPAddress] {
        var addresses = known.filter { network.contains($0) && !network.has($0) }
        for own in network.addresses where own.prefixLength >= shortestPrefix && own.address.bytes.count == 4 {
            for last in UInt8.min...UInt8.max {
                guard let address = IPAddress(bytes: own.address.bytes.dropLast() + [last]),
                    network.contains(address), !network.has(address), !addresses.contains(address)
                else { continue }
                addresses.append(address)
            }
        }
        return addresses
    }
}
