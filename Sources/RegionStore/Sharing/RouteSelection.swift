/// Which of a region's hikes and planned routes are meant: all, or those of given names.
package struct RouteSelection: Hashable, Sendable {
    /// The names, in upper or lower case; nil for all routes.
    package let names: [String]?

    /// All routes.
    package static let all = RouteSelection(names: nil)

    /// The routes of these names; all if there are none.
    package init(named names: [String]) {
        self.names = names.isEmpty ? nil : names
    }

    private init(names: [String]?) {
        self.names = names
    }

    /// Says whether a route of a name is meant.
    func contains(_ name: String) -> Bool {
        names?.contains { Self.areEqual($0, name) } ?? true
    }

    /// The search for the routes of a selection among many, whose names are not all kept.
    struct Search {
        private var missing: [String]
        private var count = 0
        /// The first names in alphabetical order.
        private var shown: [String] = []

        init(_ selection: RouteSelection) {
            missing = selection.names ?? []
        }

        /// Takes note of a route.
        mutating func see(_ name: String) {
            guard !missing.isEmpty else { return }
            count += 1
            missing.removeAll { areEqual($0, name) }
            shown.insert(name, at: shown.firstIndex { name < $0 } ?? shown.endIndex)
            if shown.count > maximumShownCount { shown.removeLast() }
        }

        /// Checks that every name was seen.
        ///
        /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/notFound`` for one that was not; the message lists
        ///   those that were.
        func check() throws {
            guard let missing = missing.first else { return }
            let list = shown.map { "“\($0)”" }.joined(separator: ", ")
            let more = count > shown.count ? " and \(count - shown.count) more" : ""
            throw RegionStoreError(
                .notFound,
                "There is no hike or planned route “\(missing)”" + (count == 0 ? "." : "; there are \(list)\(more).")
            )
        }
    }

    private static func areEqual(_ one: String, _ other: String) -> Bool {
        one.lowercased() == other.lowercased()
    }

    private static let maximumShownCount = 20
}
