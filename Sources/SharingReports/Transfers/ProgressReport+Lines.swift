package import PeerCore
package import RegionSharing

/// The progress of several transfers on one line.
extension ProgressReport {
    /// The progress of the transfer of a receiver, or its place; nil if nothing is known.
    package static func line(
        ofReceiver running: [Int: TransferProgress],
        _ queued: [Int: QueuedReceiver],
        width: Int
    ) -> DisplayText? {
        guard let (number, progress) = running.first else {
            return queued.values.first { $0.turn.place > 1 }?.words.truncated(to: max(0, width))
        }
        return ProgressReport(transfer: number, progress: progress, turn: queued[number]).line(width: width)
    }

    /// The progress of all transfers on one line; nil if none is running.
    package static func line(
        _ running: [Int: TransferProgress],
        queued: [Int: QueuedReceiver] = [:],
        width: Int
    ) -> DisplayText? {
        guard let first = running.first else { return nil }
        guard running.count > 1 else {
            return ProgressReport(transfer: first.key, progress: first.value).line(width: width)
        }
        if !queued.isEmpty { return line(inTurn: running, queued).truncated(to: max(0, width)) }
        let sorted = running.sorted { $0.key < $1.key }.map(\.value)
        let parts = sorted.map { DisplayText(escaping: Wording.percent($0.fraction)) }.joined(separator: ", ")
        let rate = Wording.rate(sorted.reduce(0) { $0 + $1.bytesPerSecond })
        let line: DisplayText = "\(running.count) receivers: \(parts)  \(rate)"
        return line.truncated(to: max(0, width))
    }

    /// Who is served and who waits: `3 receivers, 24 MB/s: Ben 45 %; second Eva, about 40 s`.
    private static func line(
        inTurn running: [Int: TransferProgress],
        _ queued: [Int: QueuedReceiver]
    ) -> DisplayText {
        let sorted = running.sorted {
            let (left, right) = (queued[$0.key]?.turn.place ?? 1, queued[$1.key]?.turn.place ?? 1)
            return left == right ? $0.key < $1.key : left < right
        }
        let parts = sorted.map { number, progress -> DisplayText in
            let receiver = queued[number]
            if let words = receiver?.wordsForSender { return words }
            let percent = DisplayText(escaping: Wording.percent(progress.fraction))
            return receiver.map { "\($0.name) \(percent)" } ?? percent
        }
        let rate = Wording.rate(sorted.reduce(0) { $0 + $1.value.bytesPerSecond })
        let lead = rate.isEmpty ? "" : ", \(rate)"
        return "\(running.count) receivers\(lead): \(parts.joined(separator: "; "))"
    }
}

extension ProgressReport {
    /// The progress of all transfers, downloads and uploads on one line; nil if none is running.
    package static func line(
        _ running: [Int: TransferProgress],
        _ downloads: [Int: PhoneDownload],
        _ uploads: [Int: PhoneUpload] = [:],
        queued: [Int: QueuedReceiver] = [:],
        width: Int
    ) -> DisplayText? {
        if let first = uploads.values.first {
            let shares = uploads.sorted { $0.key < $1.key }.map { Wording.percent($0.value.fraction) }
            let text: DisplayText =
                uploads.count == 1
                ? first.text : "\(Wording.count(uploads.count, "upload")): \(shares.joined(separator: ", "))"
            let others = line(running, downloads, queued: queued, width: .max).map { "  \($0)" as DisplayText } ?? ""
            let all: DisplayText = "\(text)\(others)"
            return all.truncated(to: max(0, width))
        }
        guard let first = downloads.values.first else {
            return line(running, queued: queued, width: width)
        }
        if running.isEmpty, downloads.count == 1 {
            return first.text.truncated(to: max(0, width))
        }
        let fractions = downloads.sorted { $0.key < $1.key }.map { Wording.percent($0.value.fraction) }
        let text: DisplayText = "\(Wording.count(downloads.count, "download")): \(fractions.joined(separator: ", "))"
        guard let transfers = line(running, queued: queued, width: .max) else {
            return text.truncated(to: max(0, width))
        }
        let both: DisplayText = "\(text)  \(transfers)"
        return both.truncated(to: max(0, width))
    }
}
