/// The entries of an archive that are left out of the map that is made of it, or the rows of a map that are no tiles.
package struct OmittedEntries: Hashable, Sendable {
    /// The number of entries.
    package private(set) var count = 0

    /// The first of them, and why it is left out; nil if there is none.
    package private(set) var example: String?

    /// Creates a value for an archive without such entries.
    package init() {}

    /// Counts an entry.
    mutating func add(_ description: @autoclosure () -> String) {
        count += 1
        if example == nil { example = description() }
    }
}
