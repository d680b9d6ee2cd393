import ArgumentParser
import FoundationEssentials
import RegionStore
import Sentences
import SharingReports

struct DiscardCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard",
        abstract: "Delete the incomplete files of a region.",
        discussion: """
            'hikeshare list --incoming' lists incomplete files. Complete regions are not affected.

            Examples:
              hikeshare discard "Coma Pedrosa"
              hikeshare discard --all
            """
    )

    @Argument(
        help: ArgumentHelp("Name of the region, or the start of its id.", valueName: "region"),
        completion: .incomingRegion
    )
    var words: [String] = []

    /// The name or id, which needs no quotation marks; nil if none is given.
    var region: String? { words.isEmpty ? nil : words.joined(separator: " ") }

    @Flag(help: "Discard all incomplete files.")
    var all = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard (region == nil) == all else { throw ValidationError("Name a region or use --all.") }
    }

    func run() async throws {
        let console = global.makeConsole()
        let store = try global.openStore(.writing)
        let files = try store.incomingFiles()
        var failure: (any Error)?
        for file in try region.map({ try Self.choose($0, of: files) }) ?? files {
            do {
                try store.discard(file)
                console.emit(.discarded(file))
            } catch {
                // A file that is being received does not prevent removing the others.
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        if all, files.isEmpty { console.note("There is nothing to discard.") }
    }

    /// Returns the partial files of the selected region.
    static func choose(_ query: String, of files: [IncomingFile]) throws -> [IncomingFile] {
        let chosen = RegionStore.files(matching: query, of: files) { DisplayText(escaping: $0).string }
        guard let first = chosen.first else {
            throw CommandError(
                .notFound,
                "There are no incomplete files of “\(query)”.",
                remedy: "Use the full name or the start of the id, as 'hikeshare list --incoming' shows them."
            )
        }
        guard chosen.allSatisfy({ $0.regionID == first.regionID }) else {
            throw CommandError(
                .ambiguous,
                "“\(query)” matches several regions.",
                remedy: "Use the start of an id instead:",
                hints: chosen.map { "\($0.regionName) (\($0.shortRegionID))" }
            )
        }
        return chosen
    }
}
