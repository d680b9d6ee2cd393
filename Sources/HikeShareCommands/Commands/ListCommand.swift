import ArgumentParser
import RegionStore
import SharingReports

struct ListCommand: GlobalCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the regions in the store.")

    @Flag(help: "List incomplete files instead.")
    var incoming = false

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let console = global.makeConsole()
        let store = try global.storeToList()
        guard !incoming else {
            let files = try store?.incomingFiles() ?? []
            console.emit(.incoming(files))
            if files.isEmpty { console.note("There are no incomplete files.") }
            return
        }
        let regions = try store?.regions() ?? []
        console.emit(.regions(regions, isVerbose: global.verbosity > 0))
        if regions.isEmpty {
            console.note((["You have no maps yet."] + CommandError.noMaps.hints.map(\.typed)).joined(separator: "\n"))
        }
        if let store { try Self.tellWhatIsIncomplete(in: store, console) }
    }

    /// Lists interrupted receptions, with the command that resumes them.
    static func tellWhatIsIncomplete(in store: RegionStore, _ console: Console) throws {
        let files = try store.incomingFiles().filter { !$0.isArriving }
        for parts in Dictionary(grouping: files, by: \.regionID).values.sorted(by: {
            $0[0].regionName < $1[0].regionName
        }) {
            let (here, all) = (parts.reduce(0) { $0 + $1.byteCount }, parts.reduce(0) { $0 + $1.size })
            console.note(
                """
                Incomplete: \(DisplayText(quoting: parts[0].regionName)), \(Wording.size(here)) of \(Wording.size(all)). \
                To go on:  \("hikeshare receive", .command)
                """
            )
        }
    }
}
