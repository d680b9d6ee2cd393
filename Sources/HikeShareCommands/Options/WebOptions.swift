import ArgumentParser
import PeerCore
import PhoneSharing
import RegionSharing
import RegionStore
import SharingReports

/// The options of the page for phones.
struct WebOptions: ParsableArguments {
    @Flag(help: "Also show a page for phones, with the map and its files. The page is not encrypted.")
    var web = false

    @Flag(help: "Phones also get recorded hikes, notes and photos, from the page and by LocalSend.")
    var webPersonal = false

    @Option(
        help: ArgumentHelp(
            "TCP port of the page; 0 for any free port (default: 8080, or any free port if that is in use).",
            valueName: "port"
        )
    )
    var webPort: Int?

    func validate() throws {
        guard web || webPort == nil else { throw ValidationError("--web-port needs --web.") }
        guard webPort.map({ (0...65_535).contains($0) }) ?? true else {
            throw ValidationError("--web-port must be 0 to 65535.")
        }
    }

    /// The page of what phones get; nil for none.
    func page(of files: PhoneFiles, takesFiles: Bool) -> PhonePage? {
        guard web else { return nil }
        var page = PhonePage(of: files, turnWords: \.words)
        (page.includesPersonal, page.port) = (webPersonal, webPort)
        (page.takesFiles, page.program) = (takesFiles, ProgramPackage.find())
        return page
    }
}
