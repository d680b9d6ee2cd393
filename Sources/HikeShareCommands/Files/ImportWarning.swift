import FoundationEssentials
import RegionStore

/// What a person is told of an import that takes long, before it begins.
struct ImportWarning {
    var cost: ImportCost

    /// What the map has and what its import takes: `It has up to 49999999 tiles. To add it takes about 4 minutes, …`.
    var text: DisplayText {
        let tiles: DisplayText = cost.tileCount.map { "It has up to \(Wording.count($0, "tile")). " } ?? ""
        let time = Wording.roughly(.seconds(min(cost.seconds, 1e6)))
        return "\(tiles)To import it takes \(time), and up to \(Wording.size(cost.byteCount)) of the disk."
    }

    /// Tells of an import that takes long, and asks about one that writes far more than its file has.
    ///
    /// Without a terminal nobody is asked; the disk keeps its reserve in any case.
    ///
    /// - Returns: Whether the import goes on.
    static func confirm(_ file: InputFile, in store: RegionStore, _ console: Console) async throws -> Bool {
        let cost = try store.importCost(at: file.location, called: file.path)
        guard cost.isLong || cost.isOutOfProportion else { return true }
        let text: DisplayText = "\(DisplayText(quoting: file.path)) is a large map. \(ImportWarning(cost: cost).text)"
        guard cost.isOutOfProportion, console.canAsk else {
            console.note("\(text) To stop, \(console.stopping).")
            return true
        }
        let size: DisplayText = "The file itself has \(Wording.size(cost.fileSize))."
        return try await console.confirm(introduction: "\(text) \(size)", "Import it?")
    }
}
