import ArgumentParser
import FoundationEssentials
import RegionStore
import SharingReports

struct RemoveCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a region, or one of its hikes, planned routes or waypoints.",
        discussion: """
            With a region, its recorded hikes, planned routes and waypoints are removed, too; --export writes them to a GPX \
            file first. A single item that was removed does not come back when you receive an older copy of it.

            Examples:
              hikeshare remove "Coma Pedrosa"
              hikeshare remove "Coma Pedrosa" --export coma-pedrosa.gpx --yes
              hikeshare remove 3f9a12cd --with-routes --yes
              hikeshare remove "Coma Pedrosa" --waypoint Parking
            """
    )

    @Argument(
        help: ArgumentHelp("Full name of the region, or the start of its id.", valueName: "region"),
        completion: .region
    )
    var words: [String]

    /// The name or id; a name needs no quotation marks.
    var region: String { words.joined(separator: " ") }

    @Option(
        help: ArgumentHelp(
            "First write hikes, planned routes and waypoints to this GPX file, which must not exist.",
            valueName: "file"
        ),
        completion: .gpx
    )
    var export: String?

    @Flag(help: "Remove hikes, planned routes and waypoints without saving them.")
    var withRoutes = false

    @Flag(help: "Do not ask for confirmation. Requires --export or --with-routes if there is anything to save.")
    var yes = false

    @OptionGroup var selection: ItemSelection
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard export == nil || !withRoutes else { throw ValidationError("Give --export or --with-routes, not both.") }
        guard selection.isEmpty || (export == nil && !withRoutes) else {
            throw ValidationError("--export and --with-routes are for whole regions, not for single items.")
        }
    }

    func run() async throws {
        let console = global.makeConsole()
        let store = try global.openStore(.writing)
        let region = try store.region(named: region, isExact: selection.isEmpty)
        if let item = try selection.item(in: region, of: store) {
            return try await remove(item, of: region, from: store, console)
        }
        let removal = Removal(region: region, console: console) { try store.unreadableItems(of: region.id) }
        let fate = export.map(Removal.Fate.export) ?? (withRoutes ? .go : nil)
        let decision = try await yes ? removal.withoutAsking(fate) : removal.confirmed(fate)
        let counts = try Interruption.leavingNothing { try remove(region, from: store, decision) }
        let copy = RegionOpener.removeFiles(of: region.id, ProcessInfo.processInfo.environment)
        console.emit(.removed(region, counts, exportedTo: decision.file, copy))
    }

    private func remove(
        _ region: RegionSummary,
        from store: RegionStore,
        _ decision: Removal.Decision
    ) throws -> RemovalCounts {
        guard let file = decision.file else { return try store.remove(region.id, asSeen: region) }
        do {
            return try store.remove(region.id, asSeen: region, exportingItemsTo: file, losing: decision.unreadable)
        } catch var error as RegionStoreError where error.cause is IncompleteExport {
            error.remedy = ProgramRemedy.forIncompleteExport(of: region)
            throw error
        }
    }

    private func remove(
        _ item: ItemDescription,
        of region: RegionSummary,
        from store: RegionStore,
        _ console: Console
    ) async throws {
        let hasPhoto = try store.photos(of: region.id).contains { $0.waypointID == item.id }
        let removal = ItemRemoval(region: region, item: item, hasPhoto: hasPhoto, console: console)
        if !yes { try await removal.confirm() }
        try store.remove(item, of: region.id)
        let copy = RegionOpener.removeFiles(of: region.id, onlyItems: true, ProcessInfo.processInfo.environment)
        console.emit(.removed(item, from: region, copy))
    }
}
