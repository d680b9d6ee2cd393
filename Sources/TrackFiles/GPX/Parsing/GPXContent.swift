import FoundationEssentials
import RegionModel

/// The parts of a GPX file as the file has them, before their conversion into the model.
package enum GPXContent {
    /// The texts of a point, route or track.
    package struct Words: Hashable {
        var name = ""
        package var comment = ""
        package var description = ""
        var symbol = ""
        var type = ""
        var color = ""
        var icon = ""
        var links: [GPXLink] = []

        /// Creates texts, all empty.
        package init() {}

        /// Whether there is a text that a route point can keep.
        var hasTexts: Bool {
            [name, comment, description, symbol, type].contains { $0.utf8.contains { $0 > 0x20 } }
        }
    }

    /// The texts of a point of a route or track.
    struct PointWords {
        var index: Int
        var words: Words
    }

    /// A `wpt`.
    struct Place {
        var point: TrackPoint
        var words: Words
        var identity: GPXIdentity?
    }

    /// The element of a line.
    enum LineElement {
        case route
        case track
    }

    /// A `rte` or `trk`.
    struct Line {
        var element = LineElement.route
        var words = Words()
        var track = Track()
        var pointWords: [PointWords] = []
        var identity: GPXIdentity?
        /// Whether a point has a time.
        var hasTimes = false

        /// Whether the line is a recorded hike: it is a track with at least one time.
        ///
        /// A track of an exported file is what it was in the store. All other tracks are planned routes.
        var isHike: Bool { element == .track && (identity.map { $0.kind == .hike } ?? hasTimes) }

        /// Returns a part of the line.
        func part(_ range: Range<Int>) -> Line {
            Line(
                element: element,
                words: words,
                track: track.part(range),
                pointWords: pointWords.filter { range.contains($0.index) }.map {
                    PointWords(index: $0.index - range.lowerBound, words: $0.words)
                },
                hasTimes: hasTimes
            )
        }
    }
}
