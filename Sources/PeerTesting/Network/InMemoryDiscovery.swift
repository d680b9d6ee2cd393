import NIOCore
import PeerCore

/// Discovery as a machine of a network in memory sees it.
struct InMemoryDiscovery: DiscoveryBackend {
    let network: InMemoryNetwork
    let machine: String

    func withAdvertisement<Result: Sendable>(
        _ advertisement: PeerAdvertisement,
        body: (AsyncStream<PeerAdvertiserEvent>) async throws -> Result
    ) async throws -> Result {
        let address = try network.address(of: machine, port: advertisement.port)
        // As others read it: texts that are too long are cut.
        let info = DiscoveryInfo(try advertisement.info.txtRecord())
        let (number, name) = network.changeAnnouncements { announcements in
            let name = announcements.freeName(advertisement.instanceName, of: advertisement.serviceType)
            let number = announcements.announce(advertisement.serviceType, on: machine) { key in
                PeerSighting(key: key, instanceName: name, address: address, interfaceName: nil, info: info)
            }
            return (number, name)
        }
        defer { network.changeAnnouncements { $0.withdraw(number) } }
        let (events, continuation) = AsyncStream.makeStream(of: PeerAdvertiserEvent.self)
        continuation.yield(name == advertisement.instanceName ? .published(name) : .renamed(name))
        defer { continuation.finish() }
        return try await body(events)
    }

    func withSightings<Result: Sendable>(
        of serviceType: PeerServiceType,
        body: (AsyncStream<PeerSighting.Event>) async throws -> Result
    ) async throws -> Result {
        let (events, continuation) = AsyncStream.makeStream(of: PeerSighting.Event.self)
        let number = network.browse(serviceType, on: machine, continuation)
        defer {
            network.changeAnnouncements { $0.stopBrowsing(number) }
            continuation.finish()
        }
        return try await body(events)
    }
}
