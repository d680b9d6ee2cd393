import ArgumentParser
import PeerCore
import PhoneSharing
import RegionSharing
import RegionStore
import SharingReports

/// The options of the page for phones.
struct WebOptions: ParsableArguments {
    @Flag(
        name: .long,
        help: "Also show a page for phones, with the map and its files. The page is not encrypted."
    )
    var web = false

    @Flag(name: .long, help: "Also put recorded hikes, notes and photos on the page.")
    var webPersonal = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "TCP port of the page; 0 for any free port (default: 8080, or any free port if that is in use).",
            valueName: "port"
        )
    )
    var webPort: Int?

    func validate() throws {
        guard web || !webPersonal && webPort == nil else {
            throw ValidationError("--web-personal and --web-port need --web.")
        }
        guard webPort.map({ (0...65_535).contains($0) }) ?? true else {
            throw ValidationError("--web-port must be 0 to 65535.")
        }
    }

    /// The page of regions; nil for none.
    func page(
        of sent: [SentRegion],
        in store: RegionStore,
        _ local: LocalPeer,
        _ consent: Consent,
        _ person: TerminalPerson
    ) -> PhonePage? {
        guard web else { return nil }
        var page = PhonePage(
            of: sent,
            in: store,
            ownID: local.id,
            consent: consent,
            person: person,
            drawing: SheetProcess.draw,
            turnWords: \.words
        )
        (page.includesPersonal, page.port) = (webPersonal, webPort)
        (page.takesFiles, page.program) = (person.console.canAsk, ProgramPackage.find())
        return page
    }
}
