import PeerCore

extension ResourceKind {
    /// The kind in plain words.
    var words: String {
        KindWords.of(self)?.name ?? rawValue
    }

    /// Returns a number of items of the kind in words: `map`, `46 waypoints`.
    func words(count: Int) -> String {
        KindWords.of(self)?.counted(count) ?? "\(rawValue) (\(count))"
    }

    /// The kinds that a region may have, in the order in which they are shown.
    static let shown = KindWords.all.map(\.kind)

    /// The kinds that are files, which are replaced as a whole.
    static let files = KindWords.all.filter(\.isFile).map(\.kind)

    /// The kinds from which `--route` selects.
    static let routes = KindWords.all.filter(\.isRoute).map(\.kind)
}
