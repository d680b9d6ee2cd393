package import FoundationEssentials
import RegionModel

/// A selection of a region's hikes and planned routes: all, or those with given names and ids.
package struct RouteSelection: Hashable, Sendable {
    /// The names, whose case is ignored; nil for all routes.
    package let names: [String]?

    /// The ids of routes that are selected besides those with a name.
    package let ids: Set<UUID>

    /// All routes.
    package static let all = RouteSelection(names: nil)

    /// Selects the routes with these names and ids, or all if there are none.
    package init(named names: [String], ids: Set<UUID> = []) {
        self.names = names.isEmpty && ids.isEmpty ? nil : names
        self.ids = ids
    }

    private init(names: [String]?) {
        self.names = names
        self.ids = []
    }

    /// Returns whether the selection contains a route.
    func contains(_ name: String, _ id: UUID) -> Bool {
        guard let names else { return true }
        return ids.contains(id) || names.contains { Self.areEqual($0, name) }
    }

    /// A search for the selected routes among many, which does not keep all names in memory.
    struct Search {
        private var missing: [String]
        private var count = 0
        /// The alphabetically first names, for the error message.
        private var shown: [String] = []

        init(_ selection: RouteSelection) { missing = selection.names ?? [] }

        /// Notes the name of a route.
        mutating func see(_ name: String) {
            guard !missing.isEmpty else { return }
            count += 1
            missing.removeAll { areEqual($0, name) }
            shown.insert(name, at: shown.firstIndex { name < $0 } ?? shown.endIndex)
            if shown.count > maximumShownCount { shown.removeLast() }
        }

        /// Checks that a route with each name was found.
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
