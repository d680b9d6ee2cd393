package import PeerCore

/// The progress of a transfer.
package struct ProgressReport: ObjectReport {
    package var transfer: Int
    package var progress: TransferProgress
    /// The place of the receiver; nil if it is alone.
    package var turn: QueuedReceiver?
    /// Whether the person is at the receiver.
    package var isForReceiver = true

    /// The time until everything is there; the rate of one that waits says nothing of it.
    private var timeLeft: Duration? { isWaiting ? turn?.turn.timeLeft : progress.timeLeft }

    private var isWaiting: Bool { turn.map { $0.turn.place > 1 } ?? false }

    package var json: JSONObject {
        [
            "type": "progress",
            "transfer": transfer,
            "kind": progress.kind.json,
            "resourceBytes": progress.resourceBytes,
            "resourceSize": progress.resourceSize,
            "bytes": progress.bytes,
            "size": progress.size,
            "bytesPerSecond": progress.bytesPerSecond.isFinite ? progress.bytesPerSecond.rounded() : 0,
            "secondsLeft": timeLeft.map { $0.components.seconds },
        ]
    }

    package var text: DisplayText { line(width: .max) }

    /// Returns the progress on one line of limited width; the least important parts are left out first.
    package func line(width: Int) -> DisplayText {
        var parts: [(importance: Int, text: DisplayText)] = [
            (1, "\(progress.kind.words)"),
            (0, "\(Wording.percent(progress.fraction))"),
            (4, "\(Wording.size(progress.bytes)) of \(Wording.size(progress.size))"),
        ]
        if isWaiting, let turn {
            parts.insert((0, isForReceiver ? turn.words : turn.wordsForSender ?? turn.name), at: 0)
            parts[2].importance = 1
        }
        let rate = Wording.rate(progress.bytesPerSecond)
        if !isWaiting, !rate.isEmpty { parts.append((2, "\(rate)")) }
        if !isWaiting, let left = progress.timeLeft { parts.append((3, "\(Wording.duration(left)) left")) }
        while true {
            let line = parts.map(\.text).joined(separator: "  ")
            guard line.width > width,
                let least = parts.indices.max(by: { parts[$0].importance < parts[$1].importance }),
                parts.count > 1
            else { return line.truncated(to: max(0, width)) }
            parts.remove(at: least)
        }
    }
}
