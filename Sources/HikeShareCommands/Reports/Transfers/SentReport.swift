import FoundationEssentials
import PeerCore
import RegionStore

/// The end of a transfer of a sender.
struct SentReport: Report {
    var finished: TransferSender.Finished
    /// Whether this side accepted the invitation; nil if there was none.
    var wasAccepted: Bool?
    /// The region; nil if none was picked.
    var region: RegionSummary?
    /// Whether the sender offers several.
    var isOneOfSeveral = false

    var payloads: [JSONObject] {
        let peer = finished.peer?.json
        switch finished.result {
        case .success(let receipt):
            return [
                [
                    "type": "sent",
                    "transfer": finished.transfer,
                    "peer": peer,
                    "regionID": region?.id.uuidString,
                    "regionName": region?.name,
                    "imported": receipt.imported,
                    "keptLocal": receipt.keptLocal,
                    "changes": receipt.changes,
                    "bytes": finished.bytesTransferred,
                    "bytesSaved": finished.bytesSaved,
                    "notUnderstood": finished.unknownKinds.isEmpty ? nil : finished.unknownKinds.map(\.rawValue),
                ]
            ]
        case .failure(let error):
            let problem = ProblemReport(error)
            return [
                [
                    "type": isOutcomeUnknown ? "unconfirmed" : "notSent",
                    "transfer": finished.transfer,
                    "peer": peer,
                    "regionID": region?.id.uuidString,
                    "regionName": region?.name,
                    "code": problem.code,
                    "message": problem.message,
                    "remedy": problem.remedy.map { Wording.sentence($0, naming: problem.hints.map(\.string)) },
                    "bytes": finished.bytesTransferred,
                ]
            ]
        }
    }

    var text: DisplayText {
        let who: DisplayText = finished.peer?.title ?? stranger
        switch finished.result {
        case .success(let receipt):
            let changes = ReceiptWords.changes(receipt, isReceiver: false)
            let taken = ([words(receipt, who)] + changes).joined(separator: "\n")
            guard !finished.unknownKinds.isEmpty else { return taken }
            let unknown = finished.unknownKinds.map(\.words).joined(separator: ", ")
            return "\(taken)\nThe receiver's version is too old for: \(unknown)"
        case .failure(let error):
            guard wasAccepted != false else { return "Not sent to \(who): you declined" }
            let problem = ProblemReport(error)
            if isConnectionLost {
                let advice: DisplayText = "Leave this running: the transfer resumes when that machine is back."
                return "The connection to \(who) was lost. \(advice)"
            }
            if isOutcomeUnknown {
                return "Possibly sent to \(who): \(problem.message)\n\(problem.remedy ?? "")"
            }
            let text: DisplayText = "Not sent to \(who)\(ofRegion): \(problem.message)"
            // The peer may be an impostor, so the person must know what to do.
            let isImpostor = problem.code == PeerError.Code.notTrusted.description
            return isImpostor ? [text, "\(problem.remedy ?? "")"].joined(separator: "\n") : text
        }
    }

    /// A peer that never said hello.
    private var stranger: DisplayText {
        guard case .failure(let error as PeerError) = finished.result, let cause = error.cause as? ProtocolError,
            cause.code == .notHikeshare
        else { return "an unidentified machine" }
        return "a machine that uses another protocol"
    }

    private func words(_ receipt: TransferReceipt, _ who: DisplayText) -> DisplayText {
        let imported = ReceiptWords.imported(receipt)
        let kept = ReceiptWords.keptLocal(receipt)
        let rest: DisplayText = kept.isEmpty ? "" : "; kept its own: \(kept)"
        guard imported.isEmpty else { return "\(who) has received\(ofRegion): \(imported)\(rest)" }
        return receipt.keptLocal.isEmpty
            ? "\(who) already had everything\(ofRegion)" : "\(who) imported nothing\(ofRegion)\(rest)"
    }

    /// Which region it was, if there are several.
    private var ofRegion: DisplayText {
        isOneOfSeveral ? region.map { " of \(DisplayText(quoting: $0.name))" } ?? "" : ""
    }

    /// Whether the connection was lost during the transfer.
    ///
    /// The receiver has accepted the offer, so it reconnects.
    private var isConnectionLost: Bool {
        guard case .failure(let error as PeerError) = finished.result, wasAccepted == true else { return false }
        return error.code == .connectionLost && finished.bytesTransferred > 0
    }

    private var isOutcomeUnknown: Bool {
        guard case .failure(let error as PeerError) = finished.result else { return false }
        return error.code == .outcomeUnknown
    }
}
