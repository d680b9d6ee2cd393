import ArgumentParser
import RegionStore

/// The command `hikeshare list`.
struct ListCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the regions in the store."
    )

    @Flag(name: .long, help: "List incomplete files instead.")
    var incoming = false

    @OptionGroup var global: GlobalOptions

    private static let empty: DisplayText = """
        No regions yet. To import a map:  \("hikeshare import FILE.mbtiles", .command)
        To receive a region from a machine nearby:  \("hikeshare receive", .command)
        """

    func run() async throws {
        let console = global.makeConsole()
        let store = try global.storeToList()
        guard !incoming else {
            let files = try store?.incomingFiles() ?? []
            console.emit(IncomingListReport(files: files))
            if files.isEmpty { console.note("There are no incomplete files.") }
            return
        }
        let regions = try store?.regions() ?? []
        console.emit(RegionListReport(regions: regions))
        if regions.isEmpty { console.note(Self.empty) }
    }
}
