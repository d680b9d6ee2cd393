import FoundationEssentials
package import RegionStore
import TrackFiles

/// Lines of a rule that a person has typed.
extension CutRule {
    /// Returns the rule with lines added to it.
    ///
    /// - Parameter texts: For each line, the name or the number of a hike or planned route of the region, the beginning of its id, the path
    ///   of a track file whose routes and tracks count, or a part of the name of only one.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if there is no such line,
    ///   `RegionStoreError.Code.ambiguous` if there are several, `RegionStoreError.Code.invalidFile` if it has no points.
    package func along(_ texts: [String], of region: RegionSummary, in store: RegionStore) throws -> CutRule {
        var rule = self
        for text in texts {
            try rule.add(Self.isTrackFile(text) ? Self.lines(ofFile: text) : Self.line(text, of: region, in: store))
        }
        return rule
    }

    /// Makes the request for a part of a map that another machine offers.
    ///
    /// - Parameter texts: For each line, the name of a hike or planned route of any region of this store, the beginning of its id, a part of
    ///   the name of only one, or the path of a track file whose routes and tracks count. Any other text is the name of a hike or planned route in the offer.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.ambiguous` if regions have different lines of a name,
    ///   `RegionStoreError.Code.invalidArgument` if the lines are too long or too many,
    ///   `RegionStoreError.Code.invalidFile` if a file has no points.
    package func request(along texts: [String], in store: RegionStore) throws -> CutRequest {
        var rule = self
        var routes: [String] = []
        let regions = try texts.contains { !Self.isTrackFile($0) } ? store.regions() : []
        for text in texts {
            if Self.isTrackFile(text) {
                try rule.add(Self.lines(ofFile: text))
            } else if let line = try Self.line(text, in: regions, of: store) {
                rule.add(line)
            } else {
                routes.append(text)
            }
        }
        return try CutRequest(rule, routes: routes)
    }

    /// Whether a text that a person has typed is the path of a file with tracks, by its extension.
    package static func isTrackFile(_ text: String) -> Bool {
        // A route may be called “Fit”.
        text.contains(".") && ImportKind(fileName: text) == .tracks
    }

    private mutating func add(_ named: (name: String, lines: [[Coordinate]])) {
        names.append(named.name)
        lines += named.lines
    }

    private static func line(
        _ text: String,
        of region: RegionSummary,
        in store: RegionStore
    ) throws -> (name: String, lines: [[Coordinate]]) {
        let candidates = ItemQuery(text).matchesPartly(try store.routes(of: region))
        guard let item = candidates.first else {
            throw RegionStoreError(
                .notFound,
                "There is no hike or planned route “\(text)” in “\(region.name)”.",
                remedy:
                    "List the hikes and planned routes of the region to see their names and numbers, or give a GPX file."
            )
        }
        guard candidates.count == 1 else {
            let list = candidates.prefix(20).map { candidate in
                let isNamed = candidate.name.lowercased() == text.lowercased()
                return "\(candidate.number) (\(isNamed ? candidate.distinction : candidate.name))"
            }.joined(separator: ", ")
            throw RegionStoreError(
                .ambiguous,
                "“\(region.name)” has \(candidates.count) hikes and planned routes called “\(text)”: \(list).",
                remedy: "Use the number instead of the name."
            )
        }
        return (item.name, [try store.points(of: item, in: region)])
    }

    /// Returns the hike or planned route with a name in any of some regions; nil if there is none.
    private static func line(
        _ text: String,
        in regions: [RegionSummary],
        of store: RegionStore
    ) throws -> (name: String, lines: [[Coordinate]])? {
        let all = try regions.flatMap { region in try store.routes(of: region).map { (region, $0) } }
        var found: (name: String, lines: [[Coordinate]])?
        var names: [String] = []
        for (region, item) in ItemQuery(text).matchesPartly(all, { $0.1 }) {
            let points = try store.points(of: item, in: region)
            if found == nil { found = (item.name, [points]) }
            // The same hike may be in several regions.
            if found?.lines == [points], !names.isEmpty { continue }
            names.append("“\(region.name)” (“\(item.name)”)")
        }
        guard names.count <= 1 else {
            throw RegionStoreError(
                .ambiguous,
                "There are \(names.count) different hikes and planned routes called “\(text)” or with that in the name, in "
                    + names.prefix(20).joined(separator: ", ") + ".",
                remedy: "Export the one that you mean as a GPX file, and give the file."
            )
        }
        return found
    }

    private static func lines(ofFile path: String) throws -> (name: String, lines: [[Coordinate]]) {
        let document = try TrackFileReader().read(contentsOf: path)
        let routes = document.plannedRoutes.map { (name: $0.name, points: $0.coordinates) }
        let hikes = try document.savedRoutes.map { hike in
            (name: hike.name, points: try TrackCodec.decode(hike.trackData, startTime: nil).map(\.coordinate))
        }
        let lines = (routes + hikes).filter { !$0.points.isEmpty }
        guard let first = lines.first else {
            throw RegionStoreError(
                .invalidFile,
                "\(path) has no routes and no tracks.",
                remedy: "Give a file with a route."
            )
        }
        let file = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        return (lines.count == 1 ? first.name : document.name ?? file, lines.map(\.points))
    }
}
