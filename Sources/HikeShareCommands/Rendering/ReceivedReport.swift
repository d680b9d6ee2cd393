import FoundationEssentials
import PeerCore

/// What was received.
struct ReceivedReport: Report {
    var regionID: UUID
    var regionName: String
    var result: TransferReceiver.Result

    var payloads: [any Encodable & Sendable] {
        [
            Payload(
                peer: result.peer.map(PeerPayload.init),
                regionID: regionID.uuidString,
                regionName: regionName,
                imported: result.receipt.imported,
                keptLocal: result.receipt.keptLocal,
                bytes: result.bytesCrossed
            )
        ]
    }

    var text: DisplayText {
        let imported = ReceiptWords.imported(result.receipt)
        let kept = ReceiptWords.keptLocal(result.receipt)
        let first: DisplayText =
            imported.isEmpty
            ? "Nothing new in \(regionName): everything was here already"
            : "Received \(regionName): \(imported)"
        return kept.isEmpty ? first : "\(first)\nKept as they are here, because they are newer: \(kept)"
    }

    private struct Payload: Encodable {
        var type = "received"
        var peer: PeerPayload?
        var regionID: String
        var regionName: String
        var imported: [String: Int]
        var keptLocal: [String: Int]
        var bytes: UInt64
    }
}
