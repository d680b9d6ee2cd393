package import PeerCore

/// Discovery within one process: for tests, and for trying things without a network.
package final class InMemoryDiscovery: DiscoveryBackend {
    private struct State {
        var nextID = 0
        var advertised: [Int: (type: PeerServiceType, sightings: [PeerSighting])] = [:]
        var browsers: [Int: (type: PeerServiceType, events: AsyncStream<PeerSighting.Event>.Continuation)] = [:]
    }

    private let state = Locked(State())
    private let makeSightings: @Sendable (PeerAdvertisement) -> [PeerSighting]

    /// Creates an empty network.
    ///
    /// - Parameter makeSightings: How an advertisement is seen by others; a key must be unique among all.
    package init(makeSightings: @escaping @Sendable (PeerAdvertisement) -> [PeerSighting]) {
        self.makeSightings = makeSightings
    }

    /// Announces a service for as long as `body` runs.
    package func withAdvertisement<Result: Sendable>(
        _ advertisement: PeerAdvertisement,
        body: (AsyncStream<PeerAdvertiserEvent>) async throws -> Result
    ) async throws -> Result {
        var advertisement = advertisement
        let wished = advertisement.instanceName
        let (number, name) = state.withLock { state in
            state.nextID += 1
            let taken = Set(state.advertised.values.flatMap { $0.sightings.map(\.instanceName) })
            var count = 1
            while taken.contains(advertisement.instanceName) {
                count += 1
                advertisement.instanceName = "\(wished) #\(count)"
            }
            let sightings = makeSightings(advertisement)
            state.advertised[state.nextID] = (advertisement.serviceType, sightings)
            for browser in state.browsers.values where browser.type == advertisement.serviceType {
                for sighting in sightings { browser.events.yield(.seen(sighting)) }
            }
            return (state.nextID, advertisement.instanceName)
        }
        defer { withdraw(number) }
        let (events, continuation) = AsyncStream.makeStream(of: PeerAdvertiserEvent.self)
        continuation.yield(name == wished ? .published(name) : .renamed(name))
        defer { continuation.finish() }
        return try await body(events)
    }

    /// Looks for services for as long as `body` runs.
    package func withSightings<Result: Sendable>(
        of serviceType: PeerServiceType,
        body: (AsyncStream<PeerSighting.Event>) async throws -> Result
    ) async throws -> Result {
        let (events, continuation) = AsyncStream.makeStream(of: PeerSighting.Event.self)
        let number = state.withLock { state in
            state.nextID += 1
            state.browsers[state.nextID] = (serviceType, continuation)
            for advertised in state.advertised.values where advertised.type == serviceType {
                for sighting in advertised.sightings { continuation.yield(.seen(sighting)) }
            }
            continuation.yield(.allForNow)
            return state.nextID
        }
        defer {
            state.withLock { $0.browsers[number] = nil }
            continuation.finish()
        }
        return try await body(events)
    }

    private func withdraw(_ number: Int) {
        state.withLock { state in
            guard let gone = state.advertised.removeValue(forKey: number) else { return }
            for browser in state.browsers.values where browser.type == gone.type {
                for sighting in gone.sightings { browser.events.yield(.lost(sighting.key)) }
            }
        }
    }
}
