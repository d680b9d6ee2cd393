import Foundation
import Testing

@testable import HikeShareCommands
@testable import PeerCore
@testable import RegionStore

/// What is taken without a person, and when a sender is visited.
@Suite struct KeepTests {
    private static let all: Set<ResourceKind> = [.mbtiles, .routing, .waypoints]

    private static func map(
        _ age: MapEdition.Age,
        wanted: Set<ResourceKind> = all,
        addsToMap: Bool = false,
        losesSigner: Bool = false
    ) -> KeepRule.Facts {
        KeepRule.Facts(
            wanted: wanted,
            replacedFiles: wanted.intersection(ResourceKind.maps),
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
            (map(.unknown, wanted: [.sealed]), .decline(.unknownAge)),
            (map(.older, wanted: [.sealed, .waypoints]), withoutMap(.olderMap)),
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

    // MARK: Visits

    private static let anna = Sample.peerID(1)

    private static func peer(_ byte: UInt8 = 1, mark: String? = "a") -> DiscoveredPeer {
        var peer = Sample.discovered("Anna", byte)
        peer.info.offerMark = mark
        return peer
    }

    private let start = ContinuousClock.now

    @Test func aSenderIsVisitedOnceForEachOffer() {
        var machine = KeepStateMachine()
        #expect(machine.next(among: [Self.anna], at: start) == nil)
        machine.received(.found(Self.peer()))
        #expect(machine.next(among: [], at: start) == nil, "a stranger is visited")
        #expect(machine.next(among: [Self.anna], at: start)?.id == Self.peer().id)
        #expect(machine.next(among: [Self.anna], at: start) == nil, "a visit is going on")
        machine.ended(.complete, at: start)
        #expect(machine.next(among: [Self.anna], at: start + .seconds(9999)) == nil)
        // It comes back with the same.
        machine.received(.lost(Self.peer().id))
        machine.received(.found(Self.peer()))
        #expect(machine.next(among: [Self.anna], at: start) == nil)
        // It comes back with something else.
        machine.received(.lost(Self.peer().id))
        machine.received(.found(Self.peer(mark: "b")))
        #expect(machine.next(among: [Self.anna], at: start) != nil)
        machine.ended(.declined, at: start)
        #expect(machine.next(among: [Self.anna], at: start) == nil)
        machine.received(.changed(Self.peer(mark: "c")))
        #expect(machine.next(among: [Self.anna], at: start) != nil)
    }

    @Test func aSenderThatDoesNotSayIsVisitedWhenItComesBack() {
        var machine = KeepStateMachine()
        machine.received(.found(Self.peer(mark: nil)))
        #expect(machine.next(among: [Self.anna], at: start) != nil)
        machine.ended(.complete, at: start)
        machine.received(.changed(Self.peer(mark: nil)))
        #expect(machine.next(among: [Self.anna], at: start) == nil)
        machine.received(.lost(Self.peer().id))
        #expect(machine.next(among: [Self.anna], at: start) == nil)
        machine.received(.found(Self.peer(mark: nil)))
        #expect(machine.next(among: [Self.anna], at: start) != nil)
    }

    @Test func aVisitThatFailedIsRepeatedLaterAndLater() {
        var machine = KeepStateMachine()
        machine.received(.found(Self.peer()))
        var (now, pauses) = (start, [Duration]())
        for _ in 0..<9 {
            #expect(machine.next(among: [Self.anna], at: now) != nil)
            machine.ended(.failed, at: now)
            var pause: Duration = .zero
            while pause < .seconds(400) {
                pause += .seconds(1)
                var copy = machine
                if copy.next(among: [Self.anna], at: now + pause) != nil { break }
            }
            pauses.append(pause)
            now += pause
        }
        #expect(pauses.map(\.components.seconds) == [5, 10, 20, 40, 80, 160, 300, 300, 300])
        #expect(machine.next(among: [Self.anna], at: now) != nil)
        machine.ended(.failed, at: now)
        #expect(machine.next(among: [Self.anna], at: now) == nil)
        // It was gone, so it may be closer now.
        machine.received(.lost(Self.peer().id))
        machine.received(.found(Self.peer()))
        #expect(machine.next(among: [Self.anna], at: now) != nil)
    }

    @Test func noMoreThanSomeSendersAreRemembered() {
        var machine = KeepStateMachine()
        for number in 0..<(KeepStateMachine.maximumCount * 2) {
            var peer = Self.peer()
            peer.id = "\(number)"
            machine.received(.found(peer))
            machine.received(.lost(peer.id))
        }
        #expect(machine.count <= KeepStateMachine.maximumCount)
    }
}
