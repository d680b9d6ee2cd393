import FoundationEssentials
import MapPages
import PeerCore
import RegionSharing
import RegionStore

/// Shows what was received, and what is kept of the rest.
extension RegionReceiver {
    /// Shows the last thing that was received, and remembers the sender.
    func report(_ result: TransferReceiver.Result, _ prompt: OfferPrompt) async throws {
        show(result, prompt, isLast: true)
        guard let peer = result.peer else { return }
        let recorder = PeerRecorder(store: store, person: TerminalPerson(console))
        guard rule == nil else {
            _ = recorder.record(peer, isNew: false)
            return
        }
        try await recorder.note(peer, isNew: prompt.hasCompared(peer.security.certifiedID))
    }

    /// Shows what was received.
    func show(_ result: TransferReceiver.Result, _ prompt: OfferPrompt, isLast: Bool = false) {
        guard let region = prompt.offeredRegion else { return }
        let regions = (try? store.regions()) ?? []
        let stored = regions.first { $0.id == region.id }
        // The region may have another name in this store.
        let name = stored?.name ?? region.name
        let isOnly = regions.filter { $0.name.lowercased() == name.lowercased() }.count == 1
        let report = ReceivedReport(
            regionID: region.id,
            regionName: name,
            isOnlyOfName: isOnly,
            nameThere: name == region.name ? nil : region.name,
            isPart: region.cut != nil,
            isSealed: region.sealed != nil,
            removable: removable(result.receipt, region),
            change: prompt.takeMapChange(of: region.id),
            result: result
        )
        guard rule == nil else {
            if !result.receipt.imported.isEmpty { console.emit(KeepReport(received: report)) }
            return
        }
        console.emit(report)
        if isLast {
            // Before, the work goes on.
            if let window = console.window {
                let title: DisplayText = "\(DisplayText(quoting: name)) is here"
                window.tell(region: region.id.uuidString, title: title.string)
            } else {
                console.note(report.nextSteps)
            }
        }
        if let twin = regions.first(where: { $0.id != region.id && $0.mapDigest == stored?.mapDigest }) {
            let twice: DisplayText = "You have this map twice now, also as \(DisplayText(quoting: twin.name))."
            let remedy = "To have it once, remove one of them and receive it again in a terminal, without --yes."
            console.note(
                console.window == nil ? "\(twice) \(remedy)" : twice,
                .sameMap,
                "The store has this map twice now, also as “\(twin.name)”.",
                remedy: remedy
            )
        }
    }

    /// Finds the first item that the sender has removed and this store still has.
    private func removable(_ receipt: TransferReceipt, _ region: Region) -> ItemDescription? {
        guard receipt.changes.contains(where: { $0.outcome == .removedBySender }) else { return nil }
        for edit in (try? store.offeredEdits(of: region)) ?? [] where edit.edit.name == nil {
            guard let kind = ItemKind.allCases.first(where: { $0.resourceKind == edit.edit.kind }) else { continue }
            let items = (try? store.items(kind, of: region.id)) ?? []
            if let item = items.first(where: { $0.id == edit.edit.id }) { return item }
        }
        return nil
    }

    /// The partial files of the offered region.
    private func keptFiles(_ prompt: OfferPrompt) -> [IncomingFile] {
        guard let region = prompt.offeredRegion else { return [] }
        return (try? store.incomingFiles().filter { $0.regionID == region.id && !$0.isArriving }) ?? []
    }

    /// The number of bytes of the offered region that are kept for the next attempt.
    func keptByteCount(_ prompt: OfferPrompt) -> UInt64 {
        keptFiles(prompt).reduce(0) { $0 + $1.byteCount }
    }

    /// Returns the error to report, with the part that is kept for the next attempt.
    func incomplete(_ error: any Error, _ prompt: OfferPrompt, isStopped: Bool) -> any Error {
        let files = keptFiles(prompt)
        guard !files.isEmpty else { return isStopped && prompt.picked.receivedCount > 0 ? SomeReceived() : error }
        let report = KeptReport(files: files)
        console.emitForPrograms(report)
        return IncompleteReception(underlying: error, kept: report)
    }

    /// Says whom this side looks for.
    func tell(_ report: LookingReport) {
        console.emitForPrograms(report)
        console.note(report.text)
    }

    /// Says who has stopped, in words for the receiver's side.
    static func worded(_ error: any Error) -> any Error {
        guard var stopped = error as? PeerError, stopped.code == .peerCancelled else { return error }
        stopped.message = stopped.message.replacing("The other side stopped", with: "The sender has stopped")
        return stopped
    }

    /// The warning that one of several regions could not be sent.
    static func leftOut(_ name: String, _ error: any Error) -> any Error {
        guard var error = error as? PeerError else { return error }
        error.message = "“\(name)” is left out. \(error.message)"
        return error
    }
}
