import PeerCore
import RegionSharing
import RegionStore
import Synchronization

extension TerminalPerson {
    /// Tells what happens while regions are sent.
    func tell(_ happening: SendingHappening) {
        switch happening {
        case .leftOut(let region, var error):
            error.message = "“\(region.name)” is left out: \(error.message)"
            console.warn(ProblemReport(error, severity: .warning))
        case .cutting(let region, let receiver, let bytes): work.show(region, receiver, bytes)
        case .outside(let source, let receiver): tellOfOutside(source, receiver)
        case .withheldPhotos(let count):
            let photos = Wording.count(count, "photo")
            console.note("Not sent: \(photos) of which the camera, the place and the time cannot be taken out.")
        case .missingRouting(let region):
            let warning = CommandError(
                .storage,
                "The routing file of “\(region.name)” is missing; the region is sent without it.",
                remedy: "Import the map again with --routing FILE."
            )
            console.warn(ProblemReport(warning, severity: .warning))
        case .listening(let facts): sender?.network.begin(facts)
        case .moved(let change): sender?.network.moved(change)
        case .advertised(let name, let isBack):
            console.emitForPrograms(AdvertisedReport(name: name))
            if isBack { console.note("Discovery works again; this machine is announced as \(name)") }
        case .renamed(let name):
            console.note("Another machine nearby has this name; this one is now announced as \(name)")
        case .withdrawn: console.note("Discovery stopped; the share link and the addresses still work")
        case .invited(let question, let isWelcome):
            console.emitForPrograms(question)
            if isWelcome { console.note(question.announcement) }
        case .progress(let update): sender?.progress.show(update)
        case .sent(let facts): console.emit(facts)
        case .changed(let region, let change):
            let name = DisplayText(quoting: region.name)
            console.note(
                change == .removed
                    ? "\(name) was removed here. Receivers still get it until you stop."
                    : "\(name) was changed here. Receivers still get the old version: stop, and send it again."
            )
        case .served: console.note("No receiver has come for a while; no longer sending.")
        }
    }

    private func tellOfOutside(_ source: RegionSource, _ receiver: RemotePeer?) {
        let kinds = ResourceKind.shown.compactMap { kind in source.outside[kind].map { kind.words(count: $0) } }
        guard !kinds.isEmpty else { return }
        let words: DisplayText =
            "\(Wording.list(kinds)) of \(DisplayText(quoting: source.region.name)) outside the part"
        console.note(
            receiver.map { "Not sent to \($0.name): \(words)" }
                ?? "Not sent: \(words). To send them:  \("--all-items", .command)"
        )
    }
}

/// What the terminal shows of a sender while it sends.
struct SenderDisplay: Sendable {
    let network: NetworkDisplay
    let progress: ProgressDisplay

    init(on console: Console) { (network, progress) = (NetworkDisplay(on: console), ProgressDisplay(on: console)) }
}

/// The part of a map that is being made; there is one at a time.
final class CutDisplay: Sendable {
    private let console: Console
    private let work = Mutex<WorkProgress?>(nil)

    init(on console: Console) { self.console = console }

    /// Shows how far it is; nil at its end.
    func show(_ region: RegionSummary, _ receiver: RemotePeer?, _ bytes: (done: Int64, total: Int64)?) {
        work.withLock { work in
            let title: DisplayText =
                receiver.map { "Cutting \(region.name) for \($0.name)" } ?? "Cutting \(region.name)"
            let current = work ?? WorkProgress(title, on: console)
            work = bytes == nil ? nil : current
            guard let (done, total) = bytes else { return current.finish() }
            current.report(done, of: total)
        }
    }
}
