import FoundationEssentials

/// What a GPX file says, before it is turned into our model.
struct GPXContent {
    /// The words that a point, route or track may carry.
    struct Words: Hashable {
        var name = ""
        var comment = ""
        var description = ""
        var symbol = ""
        var type = ""
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
