import Foundation
import PeerCore
import PeerTestSupport
import Testing

@testable import RegionStore

@Suite(.timeLimit(.minutes(10))) struct RouteSelectionTests {
    @Test func onlyTheNamedRoutesCross() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            let routes = RouteSelection(named: ["höttinger ALM", "Zum Hafelekar"])
            for (source, sink) in [
                (try pair.sender.source(for: pair.region.id, routes: routes), pair.receiver.sink()),
                (
                    try pair.sender.source(for: pair.region.id),
                    try RegionStore(path: directory.path("third")).sink(routes: routes)
                ),
            ] {
                let receipt = try Transfers.run(source, to: sink)
                #expect(receipt.imported["savedroutes"] == 1)
                #expect(receipt.imported["plannedroutes"] == 1)
                #expect(receipt.imported["waypoints"] == 46)
                #expect(try sink.store.hikes(of: pair.region.id).map(\.name) == ["Höttinger Alm"])
            }
        }
    }

    @Test func aNameThatIsNotThereIsAnErrorThatListsTheOthers() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            let routes = RouteSelection(named: ["Goetheweg", "Nowhere"])
            let sending = #expect(throws: RegionStoreError.self) {
                try pair.sender.source(for: pair.region.id, routes: routes)
            }
            let source = try pair.sender.source(for: pair.region.id)
            let receiving = #expect(throws: RegionStoreError.self) {
                try Transfers.run(source, to: pair.receiver.sink(routes: routes))
            }
            for error in [sending, receiving] {
                #expect(error?.code == .notFound)
                #expect(error?.message.contains("“Nowhere”; there are “Goetheweg”, “Höttinger Alm”") == true)
            }
            #expect(try pair.receiver.regions().isEmpty)
            // The map is kept for the next time.
            #expect(try pair.receiver.incomingFiles().contains { $0.kind == .mbtiles })
        }
    }
}
