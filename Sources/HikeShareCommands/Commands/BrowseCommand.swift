import ArgumentParser
import PeerCore
import RegionSharing
import RegionStore
import SharingReports

struct BrowseCommand: GlobalCommand {
    static let configuration = CommandConfiguration(commandName: "browse", abstract: "List the senders nearby.")

    @Option(help: ArgumentHelp("How long to search.", valueName: "seconds"))
    var timeout = 5

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard (1...86_400).contains(timeout) else { throw ValidationError("--timeout must be 1 to 86400 seconds.") }
    }

    func run() async throws {
        let console = global.makeConsole()
        try await LocalHints.adding(on: console) {
            let peers = try await Interruption.watch { try await find(console) }
            guard !peers.isEmpty else {
                throw FindingError.noSender(SenderSearch(timeout: .seconds(timeout)), others: [])
            }
            console.emit(.senders(peers))
        }
    }

    private func find(_ console: Console) async throws -> [DiscoveredPeer] {
        let browser = PeerBrowser.nearby(within: .seconds(timeout))
        console.show("Searching for \(timeout) s…")
        defer { console.show(nil) }
        return try await browser.collect(for: .seconds(timeout)) { error in
            console.warn(ProblemReport(error, severity: .warning))
        }
    }
}
