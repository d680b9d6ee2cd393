import FoundationEssentials
import MapPages
import RegionStore
import WebServer

/// Shows maps in a browser of this machine until a person stops the program.
struct MapServer: Sendable {
    var store: RegionStore
    /// The region that is shown first; nil for the list of regions.
    var region: RegionSummary?
    /// Whether a browser is opened if there is a desktop.
    var opensBrowser: Bool
    var environment: [String: String]
    var console: Console

    /// Serves the pages.
    ///
    /// - Throws: ``CommandError`` when it was interrupted, or if the server cannot listen.
    func run() async throws {
        let site = MapSite(of: store, secret: MapSecret())
        var configuration = WebServer.Configuration()
        configuration.contentSecurityPolicy = MapSite.contentSecurityPolicy
        let serving = configuration
        try await Interruption.watch {
            false
        } conclude: { _ in
            CommandError(.interrupted, "Interrupted; the map is closed.")
        } _: {
            try await WebServer.run(serving, site: site) { port in
                let origin = "http://\(serving.address):\(port)"
                let url = origin + site.path(of: region?.id)
                console.emit(MapReport(region: region, url: url, shortURL: origin + site.shortPath(of: region?.id)))
                open(url)
                console.note("Press Ctrl-C to stop.")
            }
        }
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
