import PeerCore
import RegionSharing
import RegionStore
import SharingReports
import Synchronization

extension RegionReceiver {
    /// Creates what receives for the person at a console.
    init(
        store: RegionStore,
        local: LocalPeer,
        configuration: ConnectionConfiguration,
        consent: Consent,
        request: PartRequest?,
        rule: KeepRule?,
        retries: Int,
        timeout: Duration?,
        at console: Console
    ) {
        self.init(
            store: store,
            local: local,
            configuration: configuration,
            consent: consent,
            retries: retries,
            timeout: timeout,
            browser: .nearby(except: local.id),
            trust: ToldTrust(peers: store.trustedPeers, person: TerminalPerson(console)),
            logger: Software.logger("receiver"),
            person: TerminalPerson(console)
        )
        (self.request, self.rule) = (request, rule)
        explain = { $1.explained($0) }
        let causes = CauseFinder(for: .hikeshare)
        lookForCause = { await causes.cause(of: $0, $1, at: $2) }
        spaceRemedy =
            "Free some space and try again, or receive less: fewer parts with --only, or the map along a route with --along."
        let (asks, progress) = (asks, ProgressDisplay(on: console, isReceiver: true))
        follow = { updates, visit in
            let place = visit.map { ($0, progress) }
            let display = ReceiverDisplay(on: console, asks: asks, asksForPart: request != nil, beside: place)
            await display.follow(updates)
        }
        let recorder = PeerRecorder(store: store, person: TerminalPerson(console))
        remember = { peer, isNew in
            guard rule != nil else { return try await recorder.note(peer, isNew: isNew) }
            _ = recorder.record(peer, isNew: false)
        }
    }

    /// Receives until a person stops the program.
    ///
    /// - Throws: What the reception throws; what a person is told who has stopped it.
    func runUntilStopped(at console: Console, from locate: @escaping Locating) async throws {
        let control = TransferControl()
        let hasFound = Atomic(false)
        try await Interruption.watch {
            control.cancel(reason: "it was interrupted.")
            // Without a transfer, there is no peer to notify.
            return hasFound.load(ordering: .sequentiallyConsistent)
        } isSaying: {
            control.openTransferCount > 0
        } isAnswer: {
            // After the transfer, only the name of the peer is asked for.
            hasFound.load(ordering: .sequentiallyConsistent) && control.openTransferCount == 0 && console.refuse()
        } conclude: { error in
            if case ReceivingError.someReceived = error { return error }
            guard let kept = (error as? IncompleteReception)?.kept else {
                return CommandError(.interrupted, "Interrupted; nothing was received.")
            }
            let interruption = CommandError(.interrupted, "Interrupted; the region is not complete.")
            return IncompleteReception(underlying: interruption, kept: kept)
        } _: {
            let locating: Locating = { refusing, limit in
                hasFound.store(false, ordering: .sequentiallyConsistent)
                let location = try await locate(refusing, limit)
                hasFound.store(true, ordering: .sequentiallyConsistent)
                return location
            }
            try await run(from: locating, control)
        }
    }
}

extension RegionKeeper {
    /// Receives until a person stops the program.
    func runUntilStopped() async throws {
        let control = TransferControl()
        try await Interruption.watch { [self] in
            control.cancel(reason: "it was interrupted.")
            return isVisiting
        } isSaying: {
            control.openTransferCount > 0
        } conclude: { _ in
            CommandError(.interrupted, "Interrupted; no longer receiving.")
        } _: { [self] in
            try await run(control)
        }
    }
}
