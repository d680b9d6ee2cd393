import FoundationEssentials
import Testing

@testable import PeerProtocol

@Suite struct ChoiceStateMachineTests {
    private struct Offer: Codable {
        var id: UUID
    }

    private let ids = (0..<3).map { _ in UUID() }

    private func catalogue() throws -> Catalogue { try Catalogue(offers: ids.map(Offer.init)) }

    // MARK: Sender

    @Test func withoutACatalogueThereIsOneOffer() {
        var machine = SenderChoiceStateMachine(nil)
        #expect(machine.start() == .offer)
        #expect(!machine.isAwaitingPick && machine.current == nil)
        #expect(throws: ProtocolError.self) { try machine.receivedPick(OfferPick(ids: ids)) }
        #expect(machine.concluded() == nil)
    }

    @Test func offersFollowInTheOrderOfThePick() throws {
        var machine = SenderChoiceStateMachine(try catalogue())
        #expect(throws: ProtocolError.self) { try machine.receivedPick(OfferPick(ids: [ids[0]])) }
        #expect(machine.start() == .sendCatalogue(try catalogue()))
        #expect(machine.isAwaitingPick)
        #expect(machine.concluded() == nil)
        #expect(try machine.receivedPick(OfferPick(ids: [ids[2], ids[0]])) == ids[2])
        #expect(machine.current == ids[2] && !machine.isAwaitingPick)
        #expect(machine.concluded() == ids[0])
        #expect(machine.concluded() == nil)
        #expect(throws: ProtocolError.self) { try machine.receivedPick(OfferPick(ids: [ids[1]])) }
    }

    @Test func nothingElseCanBePicked() throws {
        for wanted in [[UUID()], [ids[0], UUID()], [ids[0], ids[0]], []] {
            var machine = SenderChoiceStateMachine(try catalogue())
            _ = machine.start()
            #expect(throws: ProtocolError.self) { try machine.receivedPick(OfferPick(ids: wanted)) }
        }
    }

    // MARK: Receiver

    @Test func oneManifestNeedsNoPick() throws {
        var machine = ReceiverChoiceStateMachine()
        try machine.receivedManifest(ids[0])
        #expect(!machine.hasPicked)
        #expect(machine.concluded() == false)
        #expect(throws: ProtocolError.self) {
            try machine.receivedCatalogue(try catalogue().body, limits: .standard)
        }
    }

    @Test func manifestsComeInTheOrderOfThePick() throws {
        var machine = ReceiverChoiceStateMachine()
        #expect(try machine.receivedCatalogue(try catalogue().body, limits: .standard) == (try catalogue()))
        #expect(machine.isDeciding)
        #expect(throws: ProtocolError.self) { try machine.receivedManifest(ids[0]) }
        // What is not there, or twice, does not count.
        #expect(machine.picked([ids[1], UUID(), ids[1], ids[0]]) == OfferPick(ids: [ids[1], ids[0]]))
        #expect(machine.hasPicked && !machine.isDeciding)
        #expect(throws: ProtocolError.self) { try machine.receivedManifest(ids[0]) }
        try machine.receivedManifest(ids[1])
        #expect(machine.concluded() == true)
        #expect(throws: ProtocolError.self) { try machine.receivedManifest(ids[1]) }
        try machine.receivedManifest(ids[0])
        #expect(machine.concluded() == false)
        #expect(machine.picked([ids[2]]) == nil)
    }

    /// What was asked of a declined offer may be on the way when the next one is awaited.
    @Test func listsOfADeclinedOfferMayStillCome() throws {
        var machine = ReceiverChoiceStateMachine()
        _ = try machine.receivedCatalogue(try catalogue().body, limits: .standard)
        _ = machine.picked(ids)
        try machine.receivedManifest(ids[0])
        #expect(!machine.isPassingOver)
        #expect(machine.declined() == true)
        #expect(machine.isPassingOver)
        try machine.receivedManifest(ids[1])
        #expect(!machine.isPassingOver)
        #expect(machine.concluded() == true)
        #expect(!machine.isPassingOver)
        try machine.receivedManifest(ids[2])
        #expect(machine.declined() == false)
        #expect(!machine.isPassingOver)
    }

    @Test func nothingIsNoPick() throws {
        var machine = ReceiverChoiceStateMachine()
        #expect(machine.picked(ids) == nil)
        _ = try machine.receivedCatalogue(try catalogue().body, limits: .standard)
        #expect(machine.picked([UUID()]) == nil)
        #expect(machine.isDeciding)
        #expect(throws: ProtocolError.self) {
            try machine.receivedCatalogue(try catalogue().body, limits: .standard)
        }
    }
}
