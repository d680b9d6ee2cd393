/// Something that must hold for every input does not.
package struct BrokenInvariant: Error, CustomStringConvertible {
    /// What should have held.
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Throws unless something holds that must hold whatever the input.
func require(_ holds: Bool, _ what: @autoclosure () -> String) throws(BrokenInvariant) {
    guard holds else { throw BrokenInvariant(what()) }
}

/// Returns what `body` returns, which must not throw here.
func requireSuccess<Result>(_ what: String, _ body: () throws -> Result) throws(BrokenInvariant) -> Result {
    do {
        return try body()
    } catch {
        throw BrokenInvariant("\(what): \(error)")
    }
}
