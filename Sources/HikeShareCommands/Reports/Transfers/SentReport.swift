import FoundationEssentials
import PeerCore
import RegionStore

/// The end of a transfer of a sender.
struct SentReport: Report {
    var finished: TransferSender.Finished
    /// What this side has decided; nil if it has not.
    var decision: InvitationPrompt.Decision?
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
                    "code": decline?.code ?? problem.code,
                    "message": decline?.words.string ?? problem.message,
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
            if let decline { return "Not sent to \(who): \(decline.words)" }
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

    /// Why this side has not let the receiver in; nil if it has, or if nothing was decided.
    private var decline: InvitationPrompt.Decline? {
        if case .declined(let decline) = decision { decline } else { nil }
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
        guard case .failure(let error as PeerError) = finished.result, case .accepted = decision else { return false }
        return error.code == .connectionLost && finished.bytesTransferred > 0
    }

    private var isOutcomeUnknown: Bool {
        guard case .failure(let error as PeerError) = finished.result else { return false }
        return error.code == .outcomeUnknown
    }
}

extension InvitationPrompt.Decline {
    /// The reason in words.
    fileprivate var words: DisplayText {
        switch self {
        case .byPerson: "you declined"
        case .noTerminal: "nobody could be asked, because there is no terminal"
        case .inBackground: "nobody could be asked, because this program is in the background"
        case .otherQuestions: "you were asked about other machines all the time"
        case .notUnderstood: "it asks for a part of the map in a way that this version does not understand"
        }
    }

    /// The code for programs.
    fileprivate var code: String {
        switch self {
        case .byPerson, .notUnderstood: "declined"
        case .noTerminal, .inBackground: "noTerminal"
        case .otherQuestions: "timedOut"
        }
    }
}

extension TransferReceipt {
    /// Returns the receipt without more items than a region has: the other side may have written anything.
    func limited(to region: RegionSummary) -> TransferReceipt {
        func limited(_ counts: [String: Int]) -> [String: Int] {
            counts.reduce(into: [:]) { limited, entry in
                guard let kind = ResourceKind(rawValue: entry.key), let most = KindWords.of(kind)?.count(region) else {
                    return
                }
                limited[entry.key] = min(entry.value, most)
            }
        }
        return TransferReceipt(
            imported: limited(imported),
            keptLocal: limited(keptLocal),
            changes: changes.filter { ResourceKind.shown.contains($0.kind) }
        )
    }
}
