import ArgumentParser
import FoundationEssentials
import RegionSharing
import RegionStore
import SharingReports

struct ShowCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the details of a region.",
        discussion: """
            -v adds positions, ids, digests and past transfers.
            """
    )

    @OptionGroup var region: RegionArgument

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let store = try global.openStore(.reading)
        let region = try store.region(named: region.name)
        let console = global.makeConsole()
        let photos = try store.photos(of: region.id)
        let isVerbose = global.verbosity > 0
        let items = try store.briefItems(of: region.id, byCategory: console.format == .text)
        let maker = try store.maker(of: region.signature, ownID: store.ownID)
        let sketch =
            region.hasArea
            ? try console.text { AreaSketch(place: region.place, outlines: try store.outlines(of: region.id)) } : ""
        console.emit(.details(of: region, maker: maker, sketch: sketch, isVerbose: isVerbose))
        try RegionItemsReport.forEachBatch(
            count: { items.count($0) },
            read: { try items.items($0, $1) },
            photos: Dictionary(photos.map { ($0.waypointID, $0) }) { first, _ in first },
            isVerbose: isVerbose,
            body: { console.emit($0) }
        )
        guard isVerbose || console.format == .json else {
            // The facts may have scrolled away.
            return console.note("\n\(region.name), \(Wording.size(region.fileSize)): \(region.shortContents)")
        }
        console.emit(.history(try store.history(limit: 1000).filter { $0.regionID == region.id }))
    }
}
