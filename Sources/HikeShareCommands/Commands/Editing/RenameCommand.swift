import ArgumentParser
import RegionStore
import Sentences
import SharingReports

struct RenameCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Rename a region, or one of its hikes, planned routes or waypoints.",
        discussion: """
            The new name of a hike, planned route or waypoint goes to other machines when you send the region. The name of \
            a region is for this machine only.

            Examples:
              hikeshare rename "Coma Pedrosa" "Arinsal"
              hikeshare rename Arinsal --waypoint Parking "Parking at the tunnel"
              hikeshare rename Arinsal --hike 2 "Estany de les Truites"
            """
    )

    @Argument(help: .region, completion: .region)
    var firstWord: String

    @Argument(help: ArgumentHelp("New name.", valueName: "new"))
    var otherWords: [String]

    @OptionGroup var selection: ItemSelection
    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let console = global.makeConsole()
        let store = try global.openStore(.writing)
        let names = try NewName([firstWord] + otherWords, example: #"hikeshare rename "Coma Pedrosa" "New name""#) {
            (try? store.region(matching: $0, isExact: $1)) != nil
        }
        let (region, name) = (try store.region(named: names.current), names.new)
        if let item = try selection.item(in: region, of: store) {
            try store.rename(item, of: region.id, to: name)
            console.emit(.renamed(item, of: region, to: name))
        } else {
            // After the numbers of `show`, a person may expect that an item is meant.
            guard !otherWords.contains(where: { Int($0) != nil }) else {
                throw CommandError(
                    .usage,
                    "It is not clear whether the region or one of its items gets the name.",
                    remedy: "For an item, put --waypoint, --planned or --hike before its number."
                )
            }
            try store.rename(region.id, to: name)
            console.emit(.renamed(region, to: name))
        }
    }
}
