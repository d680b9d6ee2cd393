import FoundationEssentials
import PeerCore
package import RegionSharing
import RegionStore
import Sentences

extension SentFacts: ObjectReport {
    package var json: JSONObject {
        let fields: JSONObject = [
            "transfer": finished.transfer,
            "peer": finished.peer?.json,
            "regionID": region?.id.uuidString,
            "regionName": region?.name,
            "bytes": finished.bytesTransferred,
        ]
        switch finished.result {
        case .success(let receipt):
            return fields.with([
                "type": "sent",
                "imported": ResourceKind.json(receipt.imported),
                "keptLocal": ResourceKind.json(receipt.keptLocal),
                "changes": receipt.changes,
                "bytesSaved": finished.bytesSaved,
                "notUnderstood": finished.unknownKinds.isEmpty ? nil : finished.unknownKinds.map(\.json),
            ])
        case .failure(let error):
            let problem = ProblemReport(error)
            return fields.with([
                "type": outcome == .unconfirmed ? "unconfirmed" : "notSent",
                "code": decline?.code ?? problem.code,
                "message": decline?.words.typed.english ?? problem.message.english,
                "remedy": problem.typedRemedy,
            ])
        }
    }

    package var text: DisplayText { text(typed: true) }

    /// What has become of it, with advice for a terminal or for the window.
    package func text(typed: Bool) -> DisplayText {
        let who: DisplayText = finished.peer?.title ?? stranger
        switch finished.result {
        case .success(let receipt):
            let changes = ReceiptWords.changes(receipt, isReceiver: false)
            let taken = ([words(receipt, who)] + changes).joined(separator: "\n")
            guard !finished.unknownKinds.isEmpty else { return taken }
            let unknown = finished.unknownKinds.map(\.words).joined(separator: ", ")
            return "\(taken)\nThe receiver's version is too old for: \(unknown)"
        case .failure(let error):
            if let decline { return "Not sent to \(who): \(typed ? decline.words.typed : decline.words.window ?? "")" }
            let problem = ProblemReport(error)
            let remedy = typed ? problem.remedy?.typed : problem.remedy?.window
            if isConnectionLost {
                let advice: DisplayText = "Leave this running: the transfer resumes when that machine is back."
                return "The connection to \(who) was lost. \(advice)"
            }
            if outcome == .unconfirmed {
                return "Possibly sent to \(who): \(problem.message)\n\(remedy ?? "")"
            }
            let text: DisplayText = "Not sent to \(who)\(ofRegion): \(problem.message)"
            // The peer may be an impostor, so the person must know what to do.
            let isImpostor = problem.code == PeerError.Code.notTrusted.description
            return isImpostor ? [text, "\(remedy ?? "")"].joined(separator: "\n") : text
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
}

extension SentFacts.Decline {
    /// The reason in words.
    fileprivate var words: Hint {
        switch self {
        case .byPerson: "you declined"
        case .nobodyToAsk:
            .typed("nobody could be asked, because there is no terminal", window: "nobody could be asked")
        case .notNow: "nobody could be asked, because this program is in the background"
        case .otherQuestions: "you were asked about other machines all the time"
        case .notUnderstood: "it asks for a part of the map in a way that this version does not understand"
        }
    }

    /// The code for programs.
    fileprivate var code: String {
        switch self {
        case .byPerson, .notUnderstood: "declined"
        case .nobodyToAsk, .notNow: "noTerminal"
        case .otherQuestions: "timedOut"
        }
    }
}
