import FoundationEssentials
import MapPages
import RegionSharing
import RegionStore
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
    var environment: [String: String]
    var console: Console

    /// The window was closed.
    private struct Closed: Error {}

    // Each page that sends something holds a place for a moment.
    private static let maximumUploads = 8

    /// Serves the pages, and performs what a person wants in them, until the window is closed.
    ///
    /// - Throws: ``CommandError`` when it was interrupted, or if the server cannot listen.
    func run() async throws {
        let window = AppWindow()
        let site = AppWindowSite(of: store, secret: MapSecret(), window: window) { OwnName(argument: $0)?.text }
        var configuration = WebServer.Configuration()
        configuration.contentSecurityPolicy = MapSite.contentSecurityPolicy
        configuration.maximumContentLength = AppWindowSite.maximumContentLength
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
                    tell(site.pages, "http://\(serving.address):\(port)")
                    await AppWindowJobs(window: window, store: store.path).run(endsWithPages: endsWithPages)
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

    /// Tells the address of the page, and opens it.
    private func tell(_ site: MapSite, _ origin: String) {
        let url = origin + site.path(of: region?.id)
        console.emit(MapReport(region: region, url: url, shortURL: origin + site.shortPath(of: region?.id)))
        open(url)
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
