import ArgumentParser
import FoundationEssentials
import RegionStore

/// The command `hikeshare discard`.
struct DiscardCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard",
        abstract: "Remove what has arrived of a region that is not whole.",
        discussion: """
            'hikeshare list --incoming' shows what there is. Regions that are whole are not touched.

            Examples:
              hikeshare discard "Coma Pedrosa"
              hikeshare discard --all
            """
    )

    @Argument(help: "The region: its name or the start of its id.")
    var region: String?

    @Flag(name: .long, help: "Discard everything that is not whole.")
    var all = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard (region == nil) == all else { throw ValidationError("Name a region, or give --all.") }
    }

    func run() async throws {
        let console = global.makeConsole()
        let store = try global.openStore()
        let files = try store.incomingFiles()
        var failure: (any Error)?
        for file in try region.map({ try Self.choose($0, of: files) }) ?? files {
            do {
                try store.discard(file)
                console.emit(DiscardReport(file: file))
            } catch {
                // One that is just arriving does not keep the others.
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        if all, files.isEmpty { console.note("There is nothing to discard.") }
    }

    /// The files of the one region that is meant.
    static func choose(_ query: String, of files: [IncomingFile]) throws -> [IncomingFile] {
        let named = files.filter { $0.regionName.lowercased() == query.lowercased() }
        let chosen =
            named.isEmpty && query.count >= 2
            ? files.filter { $0.regionID.uuidString.hasPrefix(query.uppercased()) } : named
        guard let first = chosen.first else {
            throw CommandError(
                .notFound,
                "Nothing has arrived of a region “\(query)”.",
                remedy: "'hikeshare list --incoming' shows what has."
            )
        }
        guard chosen.allSatisfy({ $0.regionID == first.regionID }) else {
            throw CommandError(
                .ambiguous,
                "“\(query)” may be several regions.",
                remedy: "Give the start of the id:",
                hints: chosen.map { "\($0.regionName) (\($0.shortRegionID))" }
            )
        }
        return chosen
    }
}
