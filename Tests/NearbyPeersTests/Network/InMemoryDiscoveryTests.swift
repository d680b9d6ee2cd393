import PeerCore
import PeerTestSupport
import PeerTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct InMemoryDiscoveryTests {
    private let network = InMemoryNetwork()

    /// What a machine sees at the moment, by name.
    private final class View: Sendable {
        private let sightings = Locked<[String: PeerSighting]>([:])
        private let isComplete = Locked(false)

        var names: [String] { sightings.value.values.map(\.instanceName).sorted() }
        var all: [PeerSighting] { Array(sightings.value.values) }
        var hasBegun: Bool { isComplete.value }

        func note(_ event: PeerSighting.Event) {
            switch event {
            case .seen(let sighting): sightings.withLock { $0[sighting.key] = sighting }
            case .lost(let key): sightings.withLock { $0[key] = nil }
            case .allForNow: isComplete.set(true)
            case .failed(let error): Issue.record(error)
            }
        }
    }

    private func advertise(
        _ name: String,
        on machine: String,
        of type: PeerServiceType = .notes,
        body: (AsyncStream<PeerAdvertiserEvent>) async throws -> Void
    ) async throws {
        let info = DiscoveryInfo(displayName: name, regionName: "Pirineus")
        try await network.transport(for: machine).discovery.withAdvertisement(
            PeerAdvertisement(serviceType: type, instanceName: name, port: 4711, info: info),
            body: body
        )
    }

    /// Looks from some machines while `body` runs.
    private func look(from machines: [String], body: ([View]) async throws -> Void) async throws {
        let views = machines.map { _ in View() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (machine, view) in zip(machines, views) {
                group.addTask(executorPreference: network.executor) {
                    try await network.transport(for: machine).discovery.withSightings(of: .notes) { events in
                        for await event in events { view.note(event) }
                    }
                }
            }
            try await wait { views.allSatisfy(\.hasBegun) }
            try await body(views)
            group.cancelAll()
        }
    }

    private func wait(
        until condition: @escaping @Sendable () -> Bool,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        try await network.clock.advance(until: condition, limit: .zero, fileID: fileID, line: line)
    }

    @Test func aServiceIsSeenWithItsAddressAndLostWithItsEnd() async throws {
        try await look(from: ["anna", "ben"]) { views in
            try await advertise("Anna", on: "anna") { _ in
                try await wait { views.allSatisfy { $0.names == ["Anna"] } }
                let sighting = try #require(views[1].all.first)
                let address = try network.address(of: "anna", port: 4711)
                #expect(sighting.address == address)
                #expect(sighting.info.displayName == "Anna")
                #expect(sighting.info.regionName == "Pirineus")
                // A machine that looks later sees it, too.
                try await look(from: ["carl"]) { #expect($0[0].names == ["Anna"]) }
            }
            try await wait { views.allSatisfy(\.names.isEmpty) }
        }
    }

    @Test func servicesOfAnotherTypeAreNotSeen() async throws {
        try await look(from: ["ben"]) { views in
            try await advertise("Anna", on: "anna", of: .maps) { _ in
                try await advertise("Anna", on: "anna") { events in
                    for await case .published(let name) in events {
                        #expect(name == "Anna")
                        break
                    }
                    try await wait { views[0].names == ["Anna"] }
                }
                try await wait { views[0].names.isEmpty }
            }
        }
    }

    @Test func aNameThatIsInUseGetsANumber() async throws {
        try await look(from: ["ben"]) { views in
            try await advertise("Anna", on: "anna") { _ in
                try await advertise("Anna", on: "carl") { events in
                    var events = events.makeAsyncIterator()
                    guard case .renamed("Anna #2") = await events.next() else {
                        Issue.record("not renamed")
                        return
                    }
                    try await wait { views[0].names == ["Anna", "Anna #2"] }
                }
            }
        }
    }

    @Test func aPartitionHidesServicesUntilItIsHealed() async throws {
        try await look(from: ["anna", "ben", "carl"]) { views in
            try await advertise("Anna", on: "anna") { _ in
                try await wait { views.allSatisfy { $0.names == ["Anna"] } }
                network.partition([["anna", "ben"]])
                try await wait { views[2].names.isEmpty }
                #expect(views[1].names == ["Anna"])
                try await advertise("Carl", on: "carl") { _ in
                    try await wait { views[2].names == ["Carl"] }
                    #expect(views[1].names == ["Anna"])
                    network.heal()
                    try await wait { views.allSatisfy { $0.names == ["Anna", "Carl"] } }
                }
            }
        }
    }

    @Test func aPeerBrowserFindsAPeer() async throws {
        let backend = network.transport(for: "ben").discovery
        try await PeerBrowser(serviceType: .notes, backend: backend).withEvents { events in
            try await advertise("Anna", on: "anna") { _ in
                let address = try network.address(of: "anna", port: 4711)
                for await case .found(let peer) in events {
                    #expect(peer.displayName == "Anna")
                    #expect(peer.socketAddresses == [address])
                    break
                }
            }
        }
    }
}
