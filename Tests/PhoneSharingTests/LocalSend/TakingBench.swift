import FoundationEssentials
import LocalSend
import PeerTestSupport
import RegionTestSupport
import SharingTestSupport
import WebServer

@testable import PeerCore
@testable import PhoneSharing
@testable import RegionSharing
@testable import RegionStore

/// A machine to which phones can send by LocalSend, with real connections.
struct TakingBench: Sendable {
    private struct Finished: Error {}

    let store: RegionStore
    let region: RegionSummary
    let person: TestPerson
    let taker: LocalSendTaker
    let links: ArrivingLinks
    let port: Int
    let isSecure: Bool

    /// Runs one until `body` returns; its store has a region with the waypoint “Hut”.
    static func with(
        _ person: TestPerson = TestPerson { _ in true },
        asked: (any Person)? = nil,
        asks: Bool = true,
        isSecure: Bool = false,
        regionCount: Int = 1,
        disk: (any StoreFaultInjector)? = nil,
        cancelled: @escaping @Sendable (String, LocalSendClient) -> Void = { _, _ in },
        _ body: @escaping @Sendable (TakingBench) async throws -> Void
    ) async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExamplePage(in: directory, person, count: regionCount)
            let links = ArrivingLinks()
            let store = try disk.map { try RegionStore(path: example.store.path, faults: $0) } ?? example.store
            let taker = LocalSendTaker(
                into: store,
                as: try example.store.localPeer(for: try application, software: "t 1"),
                asks: asks,
                links: links,
                person: asked ?? person,
                recognise: { device, address, certificate in
                    LocalSendPhone(
                        number: 1,
                        name: device.alias,
                        recognition: .new,
                        address: address,
                        fingerprint: certificate?.text
                    )
                }
            )
            let own = try device("Laptop")
            let site = LocalSendSite(taker, registered: { _, _, _ in own.json() }, own: { own }, cancelled: cancelled)
            let region = example.regions[0]
            do {
                try await WebServer.run(try configuration(isSecure), site: site) { port in
                    let bench = TakingBench(
                        store: example.store,
                        region: region,
                        person: person,
                        taker: taker,
                        links: links,
                        port: port,
                        isSecure: isSecure
                    )
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask { await taker.run() }
                        defer { group.cancelAll() }
                        try await body(bench)
                    }
                    throw Finished()
                }
            } catch is Finished {
                return
            }
        }
    }

    /// The application whose share links are known.
    static var application: PeerServiceType {
        get throws { try PeerServiceType(validating: "hikeshare") }
    }

    private static func configuration(_ isSecure: Bool) throws -> WebServer.Configuration {
        var configuration = WebServer.Configuration()
        (configuration.isForOwnUser, configuration.requestTime) = (false, .patience)
        (configuration.maximumUploads, configuration.maximumUploadsPerClient) = (64, 64)
        configuration.writeTime = .patience
        if isSecure {
            let identity = try TestPhone.identity()
            configuration.security = WebServerSecurity(identity, asksForCertificate: true)
        }
        return configuration
    }

    static func device(_ alias: String, _ fingerprint: LocalSendFingerprint? = nil) throws -> LocalSendDevice {
        let fingerprint = try fingerprint ?? LocalSendFingerprint("a1b2c3").required()
        return LocalSendDevice(alias: alias, fingerprint: fingerprint, port: 53317)
    }

    /// A file of tracks with waypoints, by their longitudes: 1.1 is on the map of the first region, and 1.97 on that of the second.
    static func gpx(_ waypoints: KeyValuePairs<String, Double> = ["From a phone": 1.1]) -> [UInt8] {
        let points = waypoints.map { "<wpt lat='41' lon='\($0.value)'><name>\($0.key)</name></wpt>" }.joined()
        return Array(
            "<gpx version='1.1' creator='t' xmlns='http://www.topografix.com/GPX/1/1'>\(points)</gpx>".utf8
        )
    }

    /// A phone of this network.
    func phone(_ alias: String = "Anna", identity: WebIdentity? = nil) throws -> TestPhone {
        try TestPhone(alias, on: port, isSecure: isSecure, identity: identity)
    }

    /// Waits until a person has decided on everything.
    func settle() async throws { try await taker.settle() }

    /// Waits for something that happens on another task.
    func wait(until condition: () throws -> Bool) async throws {
        let end = ContinuousClock.now + .patience
        while try !condition() {
            guard ContinuousClock.now < end else { throw Finished() }
            await Task.yield()
        }
    }

    var labels: [String] {
        get throws { try store.waypoints(of: region.id).map(\.label) }
    }

    /// What was told of phones with LocalSend.
    var told: [LocalSendHappening] {
        person.told.compactMap {
            if case .phones(.localSend(let happening)) = $0 { happening } else { nil }
        }
    }

    func asked<Asked: Question>(_ kind: Asked.Type) -> [Asked] { person.asked.compactMap { $0 as? Asked } }
}

extension Optional {
    struct Missing: Error {}

    /// The value; an error without one.
    func required() throws -> Wrapped {
        guard let self else { throw Missing() }
        return self
    }
}
