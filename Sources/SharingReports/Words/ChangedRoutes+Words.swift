package import RegionStore

extension ChangedRoutes {
    /// How many names are shown.
    private static let shownCount = 3

    /// What follows the number of tiles that differ: `, 12 of them on “Coma Pedrosa”`.
    ///
    /// - Parameter count: How many tiles differ.
    /// - Returns: The words; empty if nothing differs, or if it is not known where.
    package func words(of count: Int) -> DisplayText {
        guard count > 0 else { return "" }
        guard tileCount > 0 else { return isLeast ? "" : ", none of them on your hikes and routes" }
        let shown = names.prefix(Self.shownCount).map { DisplayText(quoting: $0) }
        let rest = names.count - shown.count
        let list = shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
        return ", \(isLeast ? "at least " : "")\(tileCount) of them on \(list)"
    }
}
