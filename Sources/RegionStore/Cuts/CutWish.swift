import FoundationEssentials
import GRDB
package import MapFiles
import PeerProtocol
import RegionModel
import TrackFiles

/// The part of a map that a person wants.
package struct CutWish: Hashable, Sendable {
    /// Which tiles are taken.
    package var rule: CutRule

    /// What the lines of the rule are called.
    package var names: [String]

    /// Creates a wish.
    package init(rule: CutRule, names: [String] = []) {
        self.rule = rule
        self.names = names
    }

    /// Describes a cut that follows the wish.
    func description(wholeTileCount: Int, wholeSize: UInt64) -> CutDescription {
        CutDescription(
            names: names,
            distance: rule.lines.isEmpty ? nil : rule.distance,
            area: rule.area,
            maximumZoom: rule.maximumZoom,
            wholeTileCount: wholeTileCount,
            wholeSize: Int64(clamping: wholeSize)
        )
    }
}

extension RegionStore {
    /// Adds lines to a rule, by texts that a person has typed.
    ///
    /// - Parameters:
    ///   - rule: The rule, without lines.
    ///   - texts: For each line, the name or the number of a hike or planned route of the region, the beginning of its id, the path
    ///     of a track file whose routes and tracks count, or a part of the name of only one.
    ///   - region: The region.
    /// - Returns: The rule with the lines, and their names.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if there is no such line,
    ///   `RegionStoreError.Code.ambiguous` if there are several, `RegionStoreError.Code.invalidFile` if it has no points.
    package func wish(_ rule: CutRule, along texts: [String], of region: RegionSummary) throws -> CutWish {
        var wish = CutWish(rule: rule)
        for text in texts {
            let (name, lines) =
                Self.isTrackFile(text) ? try Self.lines(ofFile: text) : try line(text, of: region)
            wish.names.append(name)
            wish.rule.lines += lines
        }
        return wish
    }

    private func line(_ text: String, of region: RegionSummary) throws -> (name: String, lines: [[Coordinate]]) {
        let all = try items(.hike, of: region.id) + items(.plannedRoute, of: region.id)
        let candidates = ItemQuery(text).matchesPartly(all)
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
        return (item.name, [try points(of: item, in: region)])
    }

    /// Returns the points of a hike or planned route.
    func points(of item: ItemDescription, in region: RegionSummary) throws -> [Coordinate] {
        let kind: ResourceKind = item.kind == .hike ? .savedroutes : .plannedroutes
        let points = try database.read { OutlineSelection.points(of: item.id, kind, in: region.id, $0) }
        guard let points, !points.isEmpty else {
            throw RegionStoreError(.invalidFile, "“\(item.name)” has no points.")
        }
        return points
    }

    /// Whether a text that a person has typed is the path of a file with tracks, by its extension.
    package static func isTrackFile(_ text: String) -> Bool {
        // A route may be called “Fit”.
        text.contains(".") && ImportKind(fileName: text) == .tracks
    }

    static func lines(ofFile path: String) throws -> (name: String, lines: [[Coordinate]]) {
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
