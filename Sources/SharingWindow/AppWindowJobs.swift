import FoundationEssentials
package import MapPages
import NetworkManager
import PeerCore
import RegionSharing
import RegionStore
import SharingReports

/// Performs what a person wants in the window, one job after the other.
package struct AppWindowJobs: Sendable {
    package var window: AppWindow
    /// The path of the store.
    package var store: String
    package var surroundings: WindowSurroundings

    /// Creates the value.
    package init(window: AppWindow, store: String, surroundings: WindowSurroundings) {
        self.window = window
        self.store = store
        self.surroundings = surroundings
    }

    /// Performs jobs until the window is closed, or no page of it is open any more.
    ///
    /// - Parameter endsWithPages: Whether it ends some time after the last page was closed.
    package func run(endsWithPages: Bool) async {
        await withTaskGroup(of: Void.self) { group in
            if endsWithPages { group.addTask { await closeWithPages() } }
            for await job in window.jobs {
                do {
                    try await perform(job)
                    window.end()
                } catch {
                    window.end(AppWindowText(problem: error))
                }
            }
            group.cancelAll()
        }
    }

    private func closeWithPages() async {
        while (try? await Task.sleep(for: .seconds(5))) != nil {
            if window.isAbandoned { return window.close() }
        }
    }

    private func perform(_ job: AppWindow.Job) async throws {
        switch job.wish {
        case .receive(let options):
            try await receive(options, job.stops, WindowPerson(in: window, surroundings))
        case .send(let id, let options):
            try await send(id, options, job.stops, WindowPerson(in: window, surroundings, sends: true))
        }
    }

    private func open(_ access: StoreAccess) throws -> RegionStore {
        try RegionStore(path: store, application: Software.name, access: access)
    }

    /// Returns the description of this machine, and asks for its name if none was chosen.
    private func localPeer(of store: RegionStore, _ person: WindowPerson) async throws -> LocalPeer {
        let isNamed = try store.displayName() != nil
        return try store.localPeer(name: isNamed ? nil : await person.ask(OwnNameQuestion()))
    }

    // MARK: Receiving

    private func receive(
        _ options: AppWindow.ReceiveOptions,
        _ stops: AsyncStream<Void>,
        _ person: WindowPerson
    ) async throws {
        let (control, hasFound) = (TransferControl(), WindowFlag())
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
                try await receive(options, person, control, hasFound)
            } catch {
                guard !control.isCancelled, let explained = surroundings.explaining(error, options.hasLink) else {
                    throw error
                }
                person.show("\(ProblemReport(error).message) Looking for the cause…")
                throw await explained()
            }
        }
    }

    private func receive(
        _ options: AppWindow.ReceiveOptions,
        _ person: WindowPerson,
        _ control: TransferControl,
        _ hasFound: WindowFlag
    ) async throws {
        let store = try open(.creating)
        let local = try await localPeer(of: store, person)
        person.note("You are \(local.displayName).")
        let link = options.hasLink ? try await shareLink(person) : nil
        let receiver = receiver(into: store, local, person)
        var plan = ReceptionPlan(
            receiver,
            from: link.map { .link($0) } ?? .nearby(query: nil),
            joins: options.joins,
            browser: { surroundings.browser(local.id, $0) },
            advise: person.advise
        )
        plan.searching = {
            for hint in surroundings.networkHints().compactMap(\.window) { person.note(hint) }
        }
        try await plan.run { locate in
            let locating: RegionReceiver.Locating = { refusing, limit in
                hasFound.set(false)
                let location = try await locate(refusing, limit)
                hasFound.set(true)
                return location
            }
            try await receiver.run(from: locating, control)
        }
    }

    private func shareLink(_ person: WindowPerson) async throws -> ShareLink {
        do {
            return try await ShareLinkQuestion(for: .hikeshare).settle(person)
        } catch var error as PeerError {
            error.remedy = ProgramRemedy.link.window
            throw error
        }
    }

    private func receiver(into store: RegionStore, _ local: LocalPeer, _ person: WindowPerson) -> RegionReceiver {
        var receiver = RegionReceiver(
            store: store,
            local: local,
            configuration: surroundings.configuration,
            consent: .person,
            retries: .max,
            browser: surroundings.browser(local.id, nil),
            trust: ToldTrust(peers: store.trustedPeers, person: person),
            logger: Software.logger("receiver"),
            person: person
        )
        receiver.explain = { $1.explained($0) }
        receiver.lookForCause = surroundings.lookForCause
        receiver.follow = { updates, _ in
            await WindowProgress(in: person.window, isReceiver: true).follow(updates)
        }
        let recorder = PeerRecorder(store: store, person: person)
        receiver.remember = { try await recorder.note($0, isNew: $1) }
        return receiver
    }

    // MARK: Sending

    private func send(
        _ id: String,
        _ options: AppWindow.SendOptions,
        _ stops: AsyncStream<Void>,
        _ person: WindowPerson
    ) async throws {
        let (control, isServing) = (TransferControl(), WindowFlag())
        try await WindowStop.watch(stops) {
            control.cancel(reason: "it was interrupted.")
            return isServing.isSet
        } conclude: { error in
            error as? SendingError == .stopped ? error : CommandError(.interrupted, "Interrupted.")
        } _: {
            let store = try open(.writing)
            guard let id = UUID(uuidString: id) else { throw SendingError.notOffered }
            let sent = try SendingWish().offer([store.region(id)], of: store, for: person)
            let sender = try await sender(of: sent, of: store, options, person)
            isServing.set(true)
            defer { person.show(nil) }
            try await sender.run(control)
        }
    }

    private func sender(
        of sent: [SentRegion],
        of store: RegionStore,
        _ options: AppWindow.SendOptions,
        _ person: WindowPerson
    ) async throws -> RegionSender {
        guard let first = sent.first else { throw CommandError.noMaps }
        let local = try await localPeer(of: store, person)
        var sender = RegionSender(
            first,
            of: store,
            local: local,
            configuration: surroundings.configuration,
            consent: .person,
            person: person
        )
        sender.trust = ToldTrust(peers: store.trustedPeers, person: person)
        sender.announcement?.marks = MapMark.custom(of: sent.map(\.source.manifest))
        sender.announcement?.logger = Software.logger("discovery")
        sender.logger = Software.logger("sender")
        sender.hotspot = options.makesNetwork ? HotspotPlan.Wishes() : nil
        sender.companion = options.hasPage ? surroundings.page(sent, store, local.id, person) : nil
        return sender
    }
}
