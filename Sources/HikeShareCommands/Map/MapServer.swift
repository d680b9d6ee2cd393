import FoundationEssentials
import MapPages
import RegionSharing
import RegionStore
import Sentences
import SharingReports
import SharingWindow
import Synchronization
import WebServer

/// Shows maps, and the window of the program, in a browser of this machine.
struct MapServer: Sendable {
    var store: RegionStore
    /// The region that is shown first; nil for the list of regions.
    var region: RegionSummary?
    /// Whether a browser is opened if there is a desktop.
    var opensBrowser: Bool
    /// Whether the program ends some time after the last page was closed.
    var endsWithPages = false
    /// Whether phones that have LocalSend are found, and find this machine.
    var findsPhones = false
    /// The files that the window is asked to add; nil for none.
    var opened: OpenedFiles?
    var environment: [String: String]
    var console: Console

    /// The window was closed.
    private struct Closed: Error {}

    /// How long to wait for another start of the window to say where it is.
    private static let openingTime: Duration = .seconds(5)

    // Each page that sends something holds a connection for a moment.
    private static let maximumUploads = 8

    /// Serves the pages, and performs what a person wants in them, until the window is closed.
    func run() async throws {
        let claimed: StoreWindow?
        switch endsWithPages ? try await claimWindow() : .busy {
        case .elsewhere(let url): return tellOfOther(url)
        case .first(let first): claimed = first
        case .busy: claimed = nil
        }
        // Until the last page is gone.
        defer { withExtendedLifetime(claimed) {} }
        // The labels of the window are in English so far, and so is what it says.
        Language.show(.english)
        let window = AppWindow()
        let desk = WindowDesk(window: window, store: store.path, surroundings: .current(findsPhones: findsPhones))
        let actions = WindowActions(at: desk, reading: store)
        let site = AppWindowSite(
            of: store,
            secret: MapSecret(),
            window: window,
            actions: actions.all,
            readings: actions.readings,
            askings: actions.askings
        )
        var configuration = WebServer.Configuration()
        configuration.contentSecurityPolicy = MapSite.contentSecurityPolicy
        configuration.maximumContentLength = site.maximumContentLength
        configuration.maximumUploads = Self.maximumUploads
        // All pages have the same address.
        configuration.maximumUploadsPerClient = Self.maximumUploads
        let serving = configuration
        let isStopped = Atomic(false)
        try await Interruption.watch {
            isStopped.store(true, ordering: .sequentiallyConsistent)
            // What is sent or received takes leave first.
            window.close()
            return true
        } isSaying: {
            window.isRunning
        } _: {
            do {
                try await WebServer.run(serving, site: site) { port in
                    let origin = "http://\(serving.address):\(port)"
                    // Without an address, another start is a window of its own.
                    try? claimed?.note(origin + site.pages.path(of: nil))
                    tell(site.pages, origin)
                    await desk.run(endsWithPages: endsWithPages)
                    throw Closed()
                }
            } catch is Closed {
                return
            }
        }
        if isStopped.load(ordering: .sequentiallyConsistent) {
            throw CommandError(.interrupted, "Interrupted; the map is closed.")
        }
    }

    /// Claims the window of the store, and waits for one that is being opened or closed.
    ///
    /// Where nothing can be written, each start is a window of its own.
    private func claimWindow() async throws -> StoreWindow.Claim {
        let end = ContinuousClock.now + Self.openingTime
        while ContinuousClock.now < end {
            guard let claim = try? store.claimWindow() else { break }
            guard case .busy = claim else { return claim }
            try await Task.sleep(for: .milliseconds(50))
        }
        return .busy
    }

    /// Shows the window that is open already.
    private func tellOfOther(_ page: String) {
        let url = page + fragment
        console.emit(.map(nil, at: url, short: url))
        console.note("The window is open already; this is its page.")
        open(url)
        tellOfFiles()
    }

    /// What the address says of files.
    private var fragment: String { opened?.fragment ?? "" }

    private func tellOfFiles() {
        guard !fragment.isEmpty else { return }
        console.note("The page asks whether to add the files to your maps.")
    }

    /// Tells the address of the page, and opens it.
    private func tell(_ site: MapSite, _ origin: String) {
        let url = origin + site.path(of: region?.id) + fragment
        console.emit(.map(region, at: url, short: origin + site.shortPath(of: region?.id) + fragment))
        open(url)
        tellOfFiles()
        console.note("Press Ctrl-C to stop.")
    }

    /// Opens the browser, or says why not.
    private func open(_ url: String) {
        guard opensBrowser else { return }
        guard DesktopProgram.hasDesktop(environment) else {
            return console.note("There is no desktop here. Open the address in a browser of this machine.")
        }
        guard let opener = DesktopProgram.find("xdg-open", environment), DesktopProgram.start(opener, [url]) else {
            return console.note("No browser was opened, because xdg-open is missing. Open the address in a browser.")
        }
    }
}
