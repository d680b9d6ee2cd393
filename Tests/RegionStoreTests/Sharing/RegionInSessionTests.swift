import Foundation
import Logging
import NIOCore
import NearbyPeers
import PeerTestSupport
import PeerTesting
import RegionStore
import Testing

/// A region is a resource of a session like any other.
@Suite(.timeLimit(.minutes(10))) struct RegionInSessionTests {
    @Test func aRegionCrossesInASession() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, region) = try RegionStoreTests.store(in: directory)
            let receiver = try RegionStore(path: directory.path("receiver"))
            let network = InMemoryNetwork()
            try await withPeerSession(configuration("anna", network), environment: network.machine("anna")) { anna in
                try await withPeerSession(configuration("ben", network), environment: network.machine("ben")) { ben in
                    let offers = try anna.resources()
                    let address = try network.address(of: "anna", port: await anna.port)
                    let host = try #require(address.ipAddress)
                    try await ben.invite(at: [PeerAddress(host: host, port: try #require(address.port))])
                    let sending = try await ben.send(
                        source: try sender.source(for: region.id),
                        named: region.name,
                        to: anna.local.id
                    )
                    let receipt = try await network.clock.advance {
                        var iterator = offers.makeAsyncIterator()
                        let offer = try #require(await iterator.next())
                        #expect(offer.name == region.name)
                        return try await offer.receive(into: receiver.sink())
                    }
                    try await network.clock.advance { try await sending.finished() }
                    #expect(!receipt.imported.isEmpty)
                }
            }
            #expect(try receiver.region(region.id).name == region.name)
            #expect(try receiver.regions().map(\.id) == sender.regions().map(\.id))
        }
    }

    private func configuration(_ name: String, _ network: InMemoryNetwork) throws -> PeerSession.Configuration {
        let application = try PeerServiceType(validating: "regions-test")
        var configuration = PeerSession.Configuration(local: try network.local(name, application: application))
        configuration.admission = .everyone
        configuration.logger = Logger(label: name) { _ in SwiftLogNoOpLogHandler() }
        return configuration
    }
}
