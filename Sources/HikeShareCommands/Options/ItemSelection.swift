import ArgumentParser
import PeerCore
import RegionStore
import SharingReports

/// The options that name one hike, planned route or waypoint of a region.
struct ItemSelection: ParsableArguments {
    @Option(
        help: ArgumentHelp("Recorded hike: its name, or its number in 'show'.", valueName: "name"),
        completion: .items(.hike)
    )
    var hike: String?

    @Option(
        help: ArgumentHelp("Planned route: its name, or its number in 'show'.", valueName: "name"),
        completion: .items(.plannedRoute)
    )
    var planned: String?

    @Option(
        help: ArgumentHelp("Waypoint: its name, or its number in 'show'.", valueName: "name"),
        completion: .items(.waypoint)
    )
    var waypoint: String?

    /// The text of each option that is given, with the kind of the item.
    private var named: [(kind: ItemKind, text: String)] {
        [(ItemKind.hike, hike), (.plannedRoute, planned), (.waypoint, waypoint)].compactMap { kind, text in
            text.map { (kind, $0) }
        }
    }

    /// Whether no item is named, so that the command is about the whole region.
    var isEmpty: Bool { named.isEmpty }

    func validate() throws {
        guard named.count < 2 else {
            throw ValidationError("Give only one of --hike, --planned and --waypoint.")
        }
    }

    /// Finds the item in a region; nil if none is named.
    func item(in region: RegionSummary, of store: RegionStore) throws -> ItemDescription? {
        guard let (kind, text) = named.first else { return nil }
        do {
            return try store.item(matching: text, kind, of: region)
        } catch var error as RegionStoreError {
            error.remedy = ProgramRemedy.forItem(error, of: region)
            throw error
        }
    }
}
