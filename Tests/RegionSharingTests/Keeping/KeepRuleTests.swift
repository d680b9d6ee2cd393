import Foundation
import SharingTestSupport
import Testing

@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore

/// What is taken without a person, and when a sender is visited.
@Suite struct KeepRuleTests {
    private static let all: Set<ResourceKind> = [.mbtiles, .routing, .waypoints]

    private static func map(
        _ age: MapEdition.Age,
        wanted: Set<ResourceKind> = all,
        addsToMap: Bool = false,
        losesSigner: Bool = false
    ) -> KeepRule.Facts {
        KeepRule.Facts(
            wanted: wanted,
            replacedFiles: wanted.intersection(ResourceKind.regionMaps),
            addsToMap: addsToMap,
            mapAge: age,
            losesSigner: losesSigner
        )
    }

    private static func withoutMap(_ reason: KeepRule.Reason) -> KeepRule.Decision {
        .take([.waypoints], leftOut: [reason])
    }

    @Test(
        arguments: [
            (KeepRule.Facts(wanted: all), KeepRule.Decision.take(all, leftOut: [])),
            (.init(isTrusted: false, wanted: all), .decline(.notTrusted)),
            (.init(isHere: false, wanted: all), .decline(.notHere)),
            (map(.newer), .take(all, leftOut: [])), (map(.newer, addsToMap: true), .take(all, leftOut: [])),
            (map(.same), withoutMap(.olderMap)), (map(.same, addsToMap: true), .take(all, leftOut: [])),
            (map(.older), withoutMap(.olderMap)), (map(.older, addsToMap: true), withoutMap(.olderMap)),
            (map(.unknown), withoutMap(.unknownAge)), (map(.unknown, addsToMap: true), withoutMap(.unknownAge)),
            (map(.newer, losesSigner: true), withoutMap(.anotherSigner)),
            (map(.same, addsToMap: true, losesSigner: true), withoutMap(.anotherSigner)),
            (map(.older, wanted: [.mbtiles]), .decline(.olderMap)),
            (map(.unknown, wanted: [.foreign]), .decline(.unknownAge)),
            (map(.older, wanted: [.foreign, .waypoints]), withoutMap(.olderMap)),
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
        let items = try Sample.catalogue()
        #expect(KeepRule(takesNew: true).picks(items) == items.map(\.region.id))
        #expect(KeepRule().picks(items) == items.dropFirst().map(\.region.id))
    }

    /// What only holds for a while is no decision.
    @Test(
        arguments: [
            (ReceivingError.nothingTaken, .declined), (ReceivingError.stranger(peer: "Ana"), .declined),
            (ReceivingError.noMap(region: "Alp", isForeign: false), .declined),
            (ReceivingError.changed(region: "Alp"), .failed), (ReceivingError.tooManyTiles(region: "Alp"), .failed),
            (PeerError(.declined, ""), .declined),
            (PeerError(.connectionLost, ""), .failed), (RegionStoreError(.storage, ""), .failed),
        ] as [(any Error, KeepStateMachine.Outcome)]
    )
    func aReasonThatPassesIsTriedAgain(problem: any Error, outcome: KeepStateMachine.Outcome) {
        #expect(KeepStateMachine.Outcome(after: problem) == outcome)
    }
}
