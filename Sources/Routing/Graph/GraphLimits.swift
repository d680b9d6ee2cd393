import RegionModel

/// The bounds of a graph that is read.
///
/// A graph at the bounds takes some 30 MB with SQLite and a search, so that a program of 30 MB stays within 64 MB, and is read in less
/// than a second. Andorra's has 2,300 nodes, 2,600 edges and 35,000 points.
enum GraphLimits {
    /// The maximum size of a file, in bytes.
    ///
    /// SQLite reads it in some 0.2 s. OpenHiker's files have 300 bytes for each edge.
    static let fileSize: UInt64 = 50_000_000

    /// The maximum number of nodes: 28 bytes each, and 24 while ways are searched from both ends.
    static let nodeCount = 100_000

    /// The maximum number of edges: 88 bytes each, with the lists of those that meet at a node.
    static let edgeCount = 100_000

    /// The maximum number of points of edges between their ends: 8 bytes each.
    static let pointCount = 1_200_000

    /// The maximum number of different texts, such as names, so that an edge needs 2 bytes for one; and of their bytes.
    static let textCount = Int(UInt16.max)
    static let textsLength = 2_000_000
    /// The maximum length of a text, in bytes of UTF-8; longer ones are truncated.
    static let textLength = 200

    /// The maximum length, ascent and descent of an edge, in metres: half the way around the earth, so that all sums are finite.
    static let length = 20_100_000.0
    /// The maximum cost of an edge.
    static let cost = 1e12
    /// The range of elevations, in metres.
    static let elevations = -12_000.0...100_000

    /// The maximum processor time of reading, in seconds.
    ///
    /// A graph at the bounds takes a tenth of it. A view can take any time.
    static let seconds = 5.0

    /// Returns the error of a graph with more than a bound allows.
    static func exceeded(_ name: String, _ what: String) -> RegionStoreError {
        RegionStoreError(
            .storage,
            "\(name) has more than \(what), too many to plan routes on this machine.",
            remedy: "Use a map of a smaller area."
        )
    }
}
