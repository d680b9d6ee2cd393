import Foundation
import Testing

@testable import HikeShareCommands
@testable import PeerCore
@testable import RegionStore

/// What is taken without a person, and when a sender is visited.
@Suite struct KeepTests {
    private static let all: Set<ResourceKind> = [.mbtiles, .routing, .waypoints]

    @Test(
        arguments: [
            (KeepRule.Facts(wanted: all), KeepRule.Decision.take(all, leftOut: [])),
            (.init(isTrusted: false, wanted: all), .decline(.notTrusted)),
            (.init(isHere: false, wanted: all), .decline(.notHere)),
            (.init(wanted: all, replacedFiles: [.mbtiles], isMapNewer: true), .take(all, leftOut: [])),
            (
                .init(wanted: all, replacedFiles: [.mbtiles], isMapNewer: false),
                .take([.waypoints], leftOut: [.olderMap])
            ),
            (.init(wanted: [.mbtiles], replacedFiles: [.mbtiles], isMapNewer: false), .decline(.olderMap)),
            (
                .init(wanted: all, replacedFiles: [.mbtiles], addsToMap: true, isMapNewer: false),
                .take(all, leftOut: [])
            ),
            (.init(wanted: all, coversAnotherArea: true), .take([.waypoints], leftOut: [.anotherArea])),
            (.init(wanted: all, addsToMap: true, hasTooManyTiles: true), .take([.waypoints], leftOut: [.tooManyTiles])),
            (.init(wanted: all, ownEdits: [.waypoints]), .ask(all, ownEdits: [.waypoints], leftOut: [])),
            // What is not taken cannot be lost.
            (.init(wanted: all, ownEdits: [.savedroutes]), .take(all, leftOut: [])),
        ] as [(KeepRule.Facts, KeepRule.Decision)]
    )
    func decides(facts: KeepRule.Facts, decision: KeepRule.Decision) {
        #expect(KeepRule().decision(facts) == decision)
    }

    @Test func newRegionsAreTakenIfThatIsSaid() throws {
        let facts = KeepRule.Facts(isHere: false, wanted: Self.all)
        #expect(KeepRule(takesNew: true).decision(facts) == .take(Self.all, leftOut: []))
        let items = try CatalogueTests.items()
        #expect(KeepRule(takesNew: true).picks(items) == items.map(\.region.id))
        #expect(KeepRule().picks(items) == items.dropFirst().map(\.region.id))
    }
}
