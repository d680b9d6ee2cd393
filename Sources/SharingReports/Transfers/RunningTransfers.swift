package import PeerCore
package import RegionSharing

/// The transfers that are running, and the downloads and uploads of the page for phones.
package struct RunningTransfers: Sendable {
    /// What a face shows after an update.
    package enum Change: Sendable {
        case none
        /// These words, until the next change.
        case status(DisplayText)
        /// The line of all transfers.
        case line
        /// The line of all transfers; a receiver has another place.
        case turn(QueuedReceiver)
        /// The line of all transfers; one has made progress.
        case progress(ProgressReport)
    }

    private let isReceiver: Bool
    package var running: [Int: TransferProgress] = [:]
    /// The transfers that are served in turn.
    package var queued: [Int: QueuedReceiver] = [:]
    package var downloads: [Int: PhoneDownload] = [:]
    package var uploads: [Int: PhoneUpload] = [:]
    /// The files that are sent to phones by LocalSend.
    package var phones: [Int: LocalSendTransfer] = [:]

    /// Begins without transfers; `isReceiver` says whether the person is at the receiver.
    package init(isReceiver: Bool) { self.isReceiver = isReceiver }

    /// Notes what has happened to a transfer.
    package mutating func note(_ update: TransferUpdate) -> Change {
        guard case .transfer(let transfer) = update.event else { return .none }
        let number = update.transfer
        switch transfer {
        case .idle, .waitingForPeer, .pairing, .comparing: return .none
        case .connected:
            guard let peer = update.peer, running.isEmpty else { return .none }
            return .status("\(peer.title) is reviewing the offer…")
        case .queued(let turn):
            let receiver = QueuedReceiver(name: update.peer?.name ?? "", turn: turn)
            queued[number] = receiver
            return .turn(receiver)
        case .transferring(let progress):
            running[number] = progress
            let turn = queued[number]
            return .progress(
                ProgressReport(transfer: number, progress: progress, turn: turn, isForReceiver: isReceiver)
            )
        case .committing: return running.count <= 1 ? .status("Finishing…") : .none
        case .completed, .failed, .cancelled:
            (running[number], queued[number]) = (nil, nil)
            return .line
        }
    }

    /// Notes how much of a file that a phone sends has arrived.
    package mutating func note(_ upload: PhoneUpload) {
        uploads[upload.number] = upload.length < upload.file.size ? upload : nil
    }

    /// Notes how much of a file a phone has downloaded.
    package mutating func note(_ download: PhoneDownload) {
        downloads[download.number] = download.state == .running ? download : nil
    }

    /// Notes how much of a file was sent to a phone.
    package mutating func note(_ transfer: LocalSendTransfer) {
        switch transfer.state {
        case .preparing, .asking, .waiting, .running: phones[transfer.number] = transfer
        case .complete, .ended: phones[transfer.number] = nil
        }
    }

    /// The progress of the only transfer; nil if more or less than that is running.
    package var only: TransferProgress? {
        running.count == 1 && hasNoPhones ? running.first?.value : nil
    }

    private var hasNoPhones: Bool { downloads.isEmpty && uploads.isEmpty && phones.isEmpty }

    /// Everything in one line, or the place of the receiver; nil if nothing is running.
    package func line(width: Int) -> DisplayText? {
        guard !isReceiver else {
            guard let first = running.first else {
                return queued.values.first { $0.turn.place > 1 }?.words.truncated(to: max(0, width))
            }
            return ProgressReport(transfer: first.key, progress: first.value, turn: queued[first.key])
                .line(width: width)
        }
        if hasNoPhones, let first = running.first, running.count == 1 {
            return ProgressReport(transfer: first.key, progress: first.value).line(width: width)
        }
        let parts = [uploadWords, downloadWords, phoneWords, transferWords].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: "  ").truncated(to: max(0, width))
    }

    private var uploadWords: DisplayText? {
        guard let first = uploads.values.first else { return nil }
        let shares = uploads.sorted { $0.key < $1.key }.map { Wording.percent($0.value.fraction) }
        return uploads.count == 1
            ? first.text : "\(Wording.count(uploads.count, "upload")): \(shares.joined(separator: ", "))"
    }

    private var downloadWords: DisplayText? {
        guard let first = downloads.values.first else { return nil }
        if running.isEmpty, downloads.count == 1 { return first.text }
        let shares = downloads.sorted { $0.key < $1.key }.map { Wording.percent($0.value.fraction) }
        return "\(Wording.count(downloads.count, "download")): \(shares.joined(separator: ", "))"
    }

    private var phoneWords: DisplayText? {
        guard let first = phones.values.first else { return nil }
        if running.isEmpty, phones.count == 1 { return first.shortLine }
        let shares = phones.sorted { $0.key < $1.key }.map {
            Wording.percent($0.value.state == .running ? $0.value.fraction : 0)
        }
        return "\(Wording.count(phones.count, "phone")): \(shares.joined(separator: ", "))"
    }

    private var transferWords: DisplayText? {
        guard let first = running.first else { return nil }
        guard running.count > 1 else { return ProgressReport(transfer: first.key, progress: first.value).text }
        let rate = Wording.rate(running.values.reduce(0) { $0 + $1.bytesPerSecond })
        guard queued.isEmpty else { return wordsInTurn(rate) }
        let shares = running.sorted { $0.key < $1.key }.map { Wording.percent($0.value.fraction) }
        return "\(running.count) receivers: \(shares.joined(separator: ", "))  \(rate)"
    }

    /// Who is served and who waits: `3 receivers, 24 MB/s: Ben 45 %; second Eva, about 40 s`.
    private func wordsInTurn(_ rate: String) -> DisplayText {
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
        return "\(running.count) receivers\(rate.isEmpty ? "" : ", \(rate)"): \(parts.joined(separator: "; "))"
    }
}
