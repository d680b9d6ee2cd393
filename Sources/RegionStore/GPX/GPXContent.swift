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

        /// The number of bytes of all texts.
        var length: Int {
            name.utf8.count + comment.utf8.count + description.utf8.count + symbol.utf8.count + type.utf8.count
        }
    }

    /// A `wpt`.
    struct Place {
        var point: TrackPoint
        var words: Words
    }

    /// A `rte` or `trk`.
    struct Line {
        var words = Words()
        var points: [TrackPoint] = []
    }

    var name = ""
    var time: Date?
    var places: [Place] = []
    var routes: [Line] = []
    var tracks: [Line] = []
}
