import FoundationEssentials
package import MapPages
package import PeerCore
import RegionSharing
package import RegionStore
import SharingReports
package import WebServer

/// What jobs and actions of the window work with: the window, the store, and what is around.
package struct WindowDesk: Sendable {
    package var window: AppWindow
    /// The path of the store.
    package var path: String
    package var surroundings: WindowSurroundings
    /// The files that pages have wished for.
    package let exports = WindowExports()
    /// What is asked, by jobs and beside them.
    package let questions: WindowQuestions
    /// What lets phones find this machine beside the jobs.
    package let listening = PhoneListening()

    package init(window: AppWindow, store path: String, surroundings: WindowSurroundings) {
        (self.window, self.path, self.surroundings) = (window, path, surroundings)
        questions = WindowQuestions(in: window)
    }

    /// The answer while another job is running.
    package static let busy = WebResponse(
        .conflict,
        "hikeshare is doing something else already. Wait until that ends, or choose Stop."
    )

    /// Performs jobs until the window is closed, or no page of it is open any more.
    ///
    /// - Parameter endsWithPages: Whether it ends some time after the last page was closed.
    package func run(endsWithPages: Bool) async {
        async let keeping: Void = keep()
        await withTaskGroup(of: Void.self) { group in
            if endsWithPages { group.addTask { await closeWithPages() } }
            group.addTask { await listening.run(listen) }
            if surroundings.listen != nil { turnListening(on: (try? open(.reading).isFoundByPhones()) ?? true) }
            group.addTask { await exports.run(downloads) }
            for await begun in window.jobs {
                do {
                    try await begun.job.run(begun.stops)
                    window.end()
                } catch {
                    window.end(
                        AppWindowText(problem: error),
                        isUnexplained: ProblemReport.isUnexplained(error),
                        isWished: error as? SendingError == .stopped
                    )
                }
            }
            group.cancelAll()
        }
        // It takes leave of a sender first.
        await keeping
    }

    /// Keeps the regions up to date each time when a person switches that on, until the window is closed.
    private func keep() async {
        for await begun in window.keepings {
            do {
                try await begun.job.run(begun.stops)
                window.endKeeping()
            } catch {
                window.endKeeping(AppWindowText(problem: error))
            }
        }
    }

    /// Lets phones find this machine from now on, or not.
    func turnListening(on isOn: Bool) {
        window.phones.turn(on: isOn)
        listening.turn(on: isOn)
    }

    /// Lets phones find this machine under another name, or with other names of theirs, from now on.
    func renameListening() {
        // What comes now is not lost for a name.
        if window.phones.isOn, !window.phones.areSending { listening.turn(on: true) }
    }

    /// Lets phones find this machine and send to it, until it is to stop.
    @Sendable private func listen(until stops: AsyncStream<Void>) async {
        guard let listen = surroundings.listen else { return }
        window.phones.unlist()
        do {
            let store = try open(.creating)
            var local = try store.localPeer()
            // Nobody has agreed to tell everyone the name of the login.
            if try store.displayName() == nil { local.displayName = Software.name }
            try await listen(store, local, WindowPerson(besideJobsAt: self)) { isBusy in
                window.phones.watch(isBusy)
                for await _ in stops {}
            }
            window.phones.unlist()
        } catch {
            window.phones.unlist()
            if !(error is CancellationError) { window.phones.show(trouble: AppWindowText(problem: error)) }
        }
        window.phones.watch(nil)
        window.phones.show([])
        window.phones.show(nil)
    }

    private func closeWithPages() async {
        while (try? await Task.sleep(for: .seconds(5))) != nil {
            if window.isAbandoned { return window.close() }
        }
    }

    /// Begins a job, and returns the answer to the page.
    package func begin(_ job: any AppWindowJob) -> WebResponse {
        window.begin(job) ? AppWindowAction.done : Self.busy
    }

    /// Opens the store.
    package func open(_ access: StoreAccess) throws -> RegionStore {
        try RegionStore(path: path, application: Software.name, access: access)
    }

    /// Returns the description of this machine, and asks for its name if none was chosen.
    package func localPeer(of store: RegionStore, _ person: WindowPerson) async throws -> LocalPeer {
        guard try store.displayName() == nil else { return try store.localPeer() }
        let local = try await store.localPeer(name: person.ask(OwnNameQuestion()))
        renameListening()
        return local
    }

    /// Describes the files of a region for its owner.
    @Sendable private func downloads(_ wish: WindowExports.Wish) throws -> RegionDownloads {
        let store = try open(.writing)
        // Only an archive has photos and the routing database, and photos are copied for it.
        let hasPhotos = [.html, .zip].contains(wish.kind) && wish.isPersonal
        let kinds = ResourceKind.regionKinds.filter { kind in
            switch kind {
            case .photos: hasPhotos
            case .routing: wish.kind == .zip
            default: true
            }
        }
        let source = try store.source(
            for: wish.region,
            kinds: Set(kinds),
            routes: .all,
            includeHealth: true,
            includePhotoDetails: wish.hasPhotoDetails,
            cut: try wish.part?.rule(for: store.region(wish.region), in: store)
        )
        return try store.downloads(
            of: source,
            fileName: ExportFileName.stem,
            includesPersonal: wish.isPersonal,
            makers: makers(for: source.region),
            isWhole: true
        )
    }

    /// Returns what makes the files that the library of the store does not make.
    func makers(for region: RegionSummary) -> [DownloadKind: RegionDownloads.Maker] {
        ShareFiles.makers(for: region, drawing: surroundings.draw)
    }
}
