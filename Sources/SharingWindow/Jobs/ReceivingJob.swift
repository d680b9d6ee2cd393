import MapPages
package import PeerCore
import RegionSharing
package import RegionStore
import Sentences
import SharingReports

/// The reception of regions from one sender.
package struct ReceivingJob: AppWindowJob {
    package let desk: WindowDesk
    /// Whether the person has a share link.
    package var hasLink = false
    /// The share link that the person has chosen; nil for none, or one that is asked for.
    package var link: ShareLink?
    /// Whether to join the sender's own Wi-Fi network.
    package var joins = false
    /// The part of the map to ask for; nil for the whole map.
    package var part: CutRequest?
    package var title: String { part == nil ? "Receiving a map" : "Receiving a part of a map" }

    package init(at desk: WindowDesk, hasLink: Bool = false, joins: Bool = false, part: CutRequest? = nil) {
        (self.desk, self.hasLink, self.joins, self.part) = (desk, hasLink, joins, part)
    }

    package func run(_ stops: AsyncStream<Void>) async throws {
        let person = WindowPerson(at: desk)
        let (control, hasFound) = (TransferControl(), WindowStop.Flag())
        try await WindowStop.watch(stops) {
            control.cancel(reason: "it was interrupted.")
            // Without a transfer, there is no peer to notify, and nobody else withdraws a question.
            return hasFound.isSet && control.openTransferCount > 0
        } conclude: { error in
            if case ReceivingError.someReceived = error { return error }
            guard let kept = ProblemReport(error).kept else {
                return CommandError(.interrupted, "Interrupted; nothing was received.")
            }
            let interruption = CommandError(.interrupted, "Interrupted; the region is not complete.")
            return IncompleteReception(underlying: interruption, kept: kept)
        } _: {
            do {
                try await receive(person, control, hasFound)
            } catch {
                guard !control.isCancelled, let explained = desk.surroundings.explaining(error, hasLink || link != nil)
                else {
                    throw error
                }
                person.show("\(ProblemReport(error).message) Looking for the cause…")
                throw await explained()
            }
        }
    }

    private func receive(
        _ person: WindowPerson,
        _ control: TransferControl,
        _ hasFound: WindowStop.Flag
    ) async throws {
        let store = try desk.open(.creating)
        let local = try await desk.localPeer(of: store, person)
        person.note("You are \(local.displayName).")
        let link = if hasLink, link == nil { try await shareLink(person) } else { link }
        var receiver = desk.receiver(into: store, as: local, consent: .person, person)
        receiver.request = part
        receiver.follow = { [asksForPart = part != nil] updates, _ in
            await WindowProgress(in: person.window, isReceiver: true).follow(updates, asksForPart: asksForPart)
        }
        let recorder = PeerRecorder(store: store, person: person)
        receiver.remember = { try await recorder.note($0, isNew: $1) }
        var plan = ReceptionPlan(
            receiver,
            from: link.map { .link($0) } ?? .nearby(query: nil),
            joins: joins,
            browser: { desk.surroundings.browser(local.id, $0) },
            advise: person.advise
        )
        plan.searching = {
            for hint in desk.surroundings.networkHints().compactMap(\.window) { person.note(hint) }
        }
        let receiving = receiver
        try await plan.run { locate in
            let locating: RegionReceiver.Locating = { refusing, limit in
                hasFound.set(false)
                let location = try await locate(refusing, limit)
                hasFound.set(true)
                return location
            }
            try await receiving.run(from: locating, control)
        }
    }

    private func shareLink(_ person: WindowPerson) async throws -> ShareLink {
        do {
            return try await ShareLinkQuestion(for: .hikeshare).settle(person)
        } catch let error as PeerError {
            throw error.advising(ProgramRemedy.link.window?.english)
        }
    }
}
