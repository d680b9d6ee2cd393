/// Which of a region's hikes and planned routes are meant: all, or those of given names.
public struct RouteSelection: Hashable, Sendable {
    /// The names, in upper or lower case; nil for all routes.
    public let names: [String]?

    /// All routes.
    public static let all = RouteSelection(names: nil)

    /// The routes of these names; all if there are none.
    public init(named names: [String]) {
        self.names = names.isEmpty ? nil : names
    }

    private init(names: [String]?) {
        self.names = names
    }

    /// Says whether a route of a name is meant.
    func contains(_ name: String) -> Bool {
        names?.contains { Self.areEqual($0, name) } ?? true
    }

    /// Checks that every name is one of those that there are.
    ///
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/notFound`` for one that is not; the message lists
    ///   those that there are.
    func check(_ present: [String]) throws {
        let missing = names?.first { name in !present.contains { Self.areEqual($0, name) } }
        guard let missing else { return }
        let shown = present.sorted().prefix(Self.maximumShownCount).map { "“\($0)”" }.joined(separator: ", ")
        let more = present.count > Self.maximumShownCount ? " and \(present.count - Self.maximumShownCount) more" : ""
        throw RegionStoreError(
            .notFound,
            "There is no hike or planned route “\(missing)”"
                + (present.isEmpty ? "." : "; there are \(shown)\(more).")
        )
    }

    private static func areEqual(_ one: String, _ other: String) -> Bool {
        one.lowercased() == other.lowercased()
    }

    private static let maximumShownCount = 20
}
