import RegionStore
import Sentences
import SharingReports

/// The question whether to remove one hike, planned route or waypoint.
struct ItemRemoval {
    var region: RegionSummary
    var item: ItemDescription
    /// Whether the item has a photo, which is removed with it.
    var hasPhoto: Bool
    var console: Console

    /// Asks a person.
    func confirm() async throws {
        guard console.canAsk else {
            throw CommandError(
                .noTerminal,
                "Removing the \(item.kind.noun) “\(item.name)” needs your confirmation, but there is no terminal.",
                remedy: "Add --yes to remove it without asking."
            )
        }
        let photo: DisplayText = hasPhoto ? " and its photo" : ""
        let question: DisplayText =
            "Remove the \(item.title)\(photo) from \(DisplayText(quoting: region.name)) for good?"
        guard try await console.confirm(question) else { throw CommandError(.declined, "Nothing was removed.") }
    }
}
