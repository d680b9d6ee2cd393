import FoundationEssentials
import PeerCore
import RegionStore

/// The question whether an imported map is a newer version of a region's map.
struct MapUpdate {
    var map: PreparedMap
    /// The name of the map's file.
    var file: String
    var console: Console
    /// Asks a question with an introduction, and returns the answer; nil to ask at the terminal before anything else.
    var ask: (@Sendable (_ introduction: DisplayText, _ question: DisplayText) async throws -> String?)?

    /// What becomes of the map.
    enum Decision {
        /// It replaces the map of this region.
        case replace(RegionSummary)
        /// It becomes a region of its own, with this name; nil for the one that it has.
        case add(name: String?)
        case leaveOut
    }

    /// Decides, or asks if it may be a newer map of a region.
    ///
    /// Without a terminal, no region is updated, and a note says how to.
    func decide() async throws -> Decision {
        guard let older = try map.olderVersion() else { return .add(name: nil) }
        let name = DisplayText(quoting: older.name)
        guard console.canAsk else {
            let way = map.isPart ? "add the tiles of this part to its map" : "replace its map"
            console.note(
                "\(name) covers the same area as \(file) and stays as it is. To \(way), use --update.",
                .perhapsNewer,
                "“\(older.name)” covers the same area as \(file) and stays as it is.",
                remedy: "To \(way), use --update."
            )
            return .add(name: nil)
        }
        let dated: DisplayText = map.date.map { " (\(Wording.mapDay($0)))" } ?? ""
        let isNamesake = map.name.lowercased() == older.name.lowercased()
        let called: DisplayText = isNamesake ? "\(file)" : "\(file), \(DisplayText(quoting: map.name)),"
        let what: DisplayText =
            if map.isPart {
                "\(called)\(dated) is a part of a map, in the area of \(name), \(older.mapDateWords)."
            } else if let ages = Self.ages(of: map, comparedWith: older) {
                "\(called) is \(ages) of \(name), which has the same area."
            } else {
                "\(called)\(dated) may be a newer version of \(name), \(older.mapDateWords)."
            }
        let items: DisplayText = older.hasItems ? " Hikes, routes and waypoints stay." : ""
        let action: DisplayText = map.isPart ? "Add its tiles to that map?" : "Replace its map?"
        let question: DisplayText = "\(action)\(items) [y/N, or a name to add it as another region] "
        let line =
            if let ask { try await ask(what, question) } else {
                try await console.ask(introduction: what, question)
            }
        if Answer.isYes(line) { return .replace(older) }
        return Answer.isNo(line) ? .leaveOut : .add(name: line)
    }

    /// Returns the dates of a map that is older than that of a region, in words; nil if it is not older, or if it is not known.
    static func ages(of map: PreparedMap, comparedWith region: RegionSummary) -> String? {
        guard let date = map.date, let mapDate = region.mapDate, date < mapDate else { return nil }
        return "older (\(Wording.mapDay(date))) than the map (\(Wording.mapDay(mapDate)))"
    }
}
