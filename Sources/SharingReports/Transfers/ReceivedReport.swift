import FoundationEssentials
import PeerCore
package import RegionSharing
import RegionStore
import Sentences

extension ReceivedRegion: ObjectReport {
    package var json: JSONObject {
        let fields: JSONObject = [
            "type": "received",
            "peer": result.peer?.json,
            "regionID": regionID.uuidString,
            "regionName": regionName,
            "nameThere": nameThere,
            "imported": ResourceKind.json(result.receipt.imported),
            "keptLocal": ResourceKind.json(result.receipt.keptLocal),
            "changes": result.receipt.changes,
            "bytes": result.bytesTransferred,
            "bytesSaved": result.bytesSaved,
        ]
        return fields.with(change.map { $0.change.json(on: $0.routes) })
    }

    package var text: DisplayText {
        let imported = ReceiptWords.imported(result.receipt, isPart: isPart)
        let kept = ReceiptWords.keptLocal(result.receipt)
        let sender: DisplayText = result.peer.map { " from \($0.name)" } ?? ""
        var lines: [DisplayText] = [
            !imported.isEmpty
                ? "Received \(regionName)\(sender): \(imported)"
                : result.receipt.keptLocal.isEmpty
                    ? "Nothing new in \(regionName): this machine already has everything"
                    : "Nothing from \(regionName) was imported"
        ]
        if !imported.isEmpty, result.bytesSaved > 0 {
            let (crossed, saved) = (Wording.size(result.bytesTransferred), Wording.size(result.bytesSaved))
            lines.append("\(crossed) transferred; \(saved) already here")
        }
        if let change, let words = change.change.words(on: change.routes) { lines.append("  Map: \(words)") }
        if !kept.isEmpty { lines.append("Kept your versions: \(kept)") }
        lines += ReceiptWords.changes(result.receipt, isReceiver: true)
        if let nameThere {
            lines.append("Kept your name for the region; the sender calls it \(DisplayText(quoting: nameThere))")
        }
        return lines.joined(separator: "\n")
    }

    /// Where its map has changed; nil if it has not, or if that is not known.
    package var changes: AreaSketch? {
        guard let place, let difference = change?.change.difference, difference.newCount > 0 else { return nil }
        return AreaSketch(
            place: place,
            outlines: [],
            changes: difference.news.tiles,
            isNew: difference.changed.count == 0
        )
    }

    /// That another region has the same map; nil if none has it.
    package var twice: DisplayText? { twin.map { "You have this map twice now, also as \(DisplayText(quoting: $0))." } }

    /// What to do with the region now.
    package var nextSteps: DisplayText {
        let id = String(regionID.uuidString.prefix(8))
        let region = isOnlyOfName ? CommandWord.of(regionName, orElse: id) : id
        var rows: [[DisplayText]] = [
            ["See it:", "\("hikeshare \(isForeign ? "open" : "map") \(region)", .command)"],
            ["Files:", "\("hikeshare export \(region) --to FOLDER", .command)"],
        ]
        if let removable, let option = KindWords.of(removable.kind.resourceKind)?.itemOption {
            // Several may have the same name.
            let what: DisplayText = "Remove \(DisplayText(quoting: removable.name)):"
            rows.append([what, "\("hikeshare remove \(region) \(option) \(removable.number)", .command)"])
        }
        return TextTable.render(rows)
    }
}

extension Reconnection: ObjectReport {
    package var json: JSONObject {
        [
            "type": "reconnecting",
            "attempt": attempt,
            "maximumAttempts": maximumAttempts == .max ? nil : maximumAttempts,
            "seconds": delay.components.seconds,
            "message": (error as? PeerError)?.message,
            "cause": cause.map { ["code": $0.code, "message": $0.finding.message] },
        ]
    }

    package var text: DisplayText {
        if let cause, cause.isAbsence {
            return "\(cause.finding.message) The transfer continues as soon as there is a network again."
        }
        let error = error as? PeerError
        // The error at the end lists the addresses that were tried.
        let reason: DisplayText =
            switch error?.code {
            case _ where cause != nil: "\(cause?.finding.message ?? "") "
            case nil: ""
            case .cannotConnect: "The other machine does not answer. "
            default: "\(error?.message ?? "") "
            }
        let advice: DisplayText = error?.code == .connectionLost ? "Leave this running: it reconnects" : "Trying again"
        let limit = maximumAttempts == .max ? "" : " of \(maximumAttempts)"
        return "\(reason)\(advice) in \(Wording.duration(delay)) (attempt \(attempt)\(limit))."
    }
}

extension RenewedSearch: ObjectReport {
    package var json: JSONObject {
        let problem = ProblemReport(error)
        return ["type": "looking", "for": wanted.rawValue, "code": problem.code, "message": problem.message.english]
    }

    package var text: DisplayText {
        let error = error as? PeerError
        // The error at the end lists the addresses that were tried.
        let reason = error?.code == .cannotConnect ? "The sender does not answer." : error?.message ?? ""
        return switch wanted {
        case .sender: "\(reason) Looking for it nearby…"
        case .otherSender: "\(reason) Looking for another sender of the same map…"
        }
    }
}
