import FoundationEssentials

/// The content of a GPX file, before its conversion into the model.
struct GPXContent {
    /// The texts of a point, route or track.
    struct Words: Hashable {
        var name = ""
        var comment = ""
        var description = ""
        var symbol = ""
        var type = ""
        var color = ""
        var icon = ""
        var links: [GPXLink] = []

        /// The number of bytes of all texts.
        var length: Int {
            [name, comment, description, symbol, type, color, icon].reduce(0) { $0 + $1.utf8.count }
                + links.reduce(0) {
                    $0 + $1.address.utf8.count + ($1.text?.utf8.count ?? 0) + ($1.type?.utf8.count ?? 0)
                }
        }

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

    /// A `rte` or `trk`.
    struct Line {
        var words = Words()
        var track = Track()
        var pointWords: [PointWords] = []
        var identity: GPXIdentity?

        /// Returns a part of the line.
        func part(_ range: Range<Int>) -> Line {
            Line(
                words: words,
                track: track.part(range),
                pointWords: pointWords.filter { range.contains($0.index) }.map {
                    PointWords(index: $0.index - range.lowerBound, words: $0.words)
                }
            )
        }
    }

    var name = ""
    var time: Date?
    var places: [Place] = []
    var routes: [Line] = []
    var tracks: [Line] = []
    var leftOut = GPXLeftOut()
}
