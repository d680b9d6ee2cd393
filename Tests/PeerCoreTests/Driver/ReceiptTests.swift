import Foundation
import PeerCore
import Testing

/// What a sender believes of what a receiver says that it has kept.
@Suite struct ReceiptTests {
    @Test func onlyWhatWasSelectedIsTold() throws {
        let melted = ItemChange(.init(rawValue: "melted"), of: .waypoints, named: "Snow")
        let changes = [
            ItemChange(.added, of: .waypoints, named: "Hut"), melted,
            ItemChange(.added, of: .photos, named: "Never offered"),
            ItemChange(.replaced, of: .mbtiles, named: "Not selected"),
            // What a sender has removed may be of a kind of which nothing is left.
            ItemChange(.removedBySender, of: .savedroutes, named: "Surf"),
            ItemChange(.removedBySender, of: .mbtiles, named: "Not selected"),
        ]
        let acknowledgement = Acknowledgement(
            id: UUID(),
            time: Date(timeIntervalSince1970: 0),
            imported: ["mbtiles": 1_000_000_000, "waypoints": 46, "zzz": 2],
            keptLocal: ["zzz": 1, "waypoints": 2],
            changes: changes
        )
        let receipt = TransferReceipt(acknowledgement, of: [.waypoints], offered: [.mbtiles, .waypoints])
        #expect(receipt.imported == ["waypoints": 46])
        #expect(receipt.keptLocal == ["waypoints": 2])
        #expect(receipt.changes.map(\.name) == ["Hut", "Surf"])
    }
}
