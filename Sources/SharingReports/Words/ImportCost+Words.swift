import FoundationEssentials
import RegionSharing
import RegionStore

extension ImportCost {
    /// What the map has and what its import takes: `It has up to 49999999 tiles. To import it takes about 4 minutes, …`.
    var words: DisplayText {
        let tiles: DisplayText = tileCount.map { "It has up to \(Wording.count($0, "tile")). " } ?? ""
        let time = Wording.roughly(.seconds(min(seconds, 1e6)))
        return "\(tiles)To import it takes \(time), and up to \(Wording.size(byteCount)) of the disk."
    }
}

extension LargeMap: TerminalQuestion {
    /// What a person is told before the import begins.
    private var words: DisplayText { "\(DisplayText(quoting: file)) is a large map. \(cost.words)" }

    /// Tells of the import, which nobody is asked about.
    func tell(at console: Console) { console.note("\(words) To stop, \(Console.stopping).") }

    func ask(at console: Console) async throws -> Bool {
        guard console.canAsk else {
            tell(at: console)
            return true
        }
        let size: DisplayText = "The file itself has \(Wording.size(cost.fileSize))."
        return try await console.confirm(introduction: "\(words) \(size)", "Import it?")
    }
}
