extension WaypointCategory {
    /// Returns the category for the type, symbol or icon of a GPX waypoint.
    ///
    /// The type counts if it is the name of a category. Otherwise the symbol or the icon counts, if it is one of
    /// ``GPXSymbols``.
    init(type: String, symbol: String, icon: String = "") {
        self =
            Self.named(type) ?? Self.named(symbol) ?? GPXSymbols.category(symbol) ?? GPXSymbols.category(icon)
            ?? GPXSymbols.category(type) ?? .custom
    }

    private static func named(_ text: String) -> WaypointCategory? {
        let wanted = GPXSymbols.letters(text)
        guard !wanted.isEmpty else { return nil }
        return allCases.first {
            GPXSymbols.letters($0.rawValue) == wanted || GPXSymbols.letters($0.displayName) == wanted
        }
    }
}
