import Diagnosis
import MapPages
import PeerCore
import RegionSharing
import RegionStore

extension WindowSurroundings {
    /// This machine and this program.
    static var current: WindowSurroundings {
        var configuration = ConnectionConfiguration()
        configuration.connectTimeout = ConnectionConfiguration.patientConnectTimeout
        configuration.maximumConnections = OpenFileLimit.connectionCount(atMost: configuration.maximumConnections)
        var surroundings = WindowSurroundings(
            configuration: configuration,
            browser: { PeerBrowser.nearby(except: $0, within: $1) },
            page: { try await makePage(of: $0, in: $1, at: $2, asking: $3) }
        )
        surroundings.whatToCheck = { await LocalHints.forDiscovery() }
        surroundings.networkHints = { LocalHints.forConnecting() }
        surroundings.absence = { LocalHints.absence(after: $0) }
        surroundings.explaining = { error in
            guard LocalHints.mayBeHinted(error) else { return nil }
            return { await LocalHints.hinted(error) }
        }
        surroundings.firewall = { Firewall.active()?.rawValue }
        return surroundings
    }

    /// Makes the page for phones, and asks for its content.
    private static func makePage(
        of sent: [SentRegion],
        in store: RegionStore,
        at ownAddress: String?,
        asking person: WindowPerson
    ) async throws -> WindowPage {
        let personal = sent.personal.pageWords
        var hasPersonal = false
        if let introduction = sent.personal.pageIntroduction {
            hasPersonal = try await person.confirm(introduction: introduction, "Add them to the page?")
        }
        let downloads = try sent.map { region in
            try store.downloads(
                of: region.source,
                fileName: { ExportFileName.stem(for: $0) },
                includesPersonal: hasPersonal,
                makers: ShareFiles.makers(for: region.source.region, drawing: SheetProcess.draw)
            )
        }
        guard let first = downloads.first else { throw CommandError.noMaps }
        // The page takes no files: only a terminal could be asked about them.
        let console = Console(
            format: .text,
            isQuiet: true,
            screen: Screen(canAsk: false, isLive: false, output: { _, _ in })
        )
        var page = WebPage(
            store: store,
            downloads: first,
            others: Array(downloads.dropFirst()),
            hasPersonal: hasPersonal && personal != nil,
            leftOut: hasPersonal ? nil : personal,
            console: console
        )
        page.ownAddress = ownAddress
        return WindowPage(turns: page.turns.turns) { [page] body in
            try await page.with(progress: ProgressDisplay(on: console)) { shown in
                try await body { addresses in
                    let report = shown.report(at: addresses)
                    return (report.text(naming: ""), report.urls.first)
                }
            }
        }
    }
}
