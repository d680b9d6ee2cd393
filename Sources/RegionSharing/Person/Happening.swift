/// Something that has happened while regions are shared.
///
/// A happening has the facts, and no words but the names that people gave.
package enum Happening: Sendable {
    /// Something went wrong, or deserves a warning, and does not end what is going on.
    case problem(any Error)
    /// Something while files are imported.
    case importing(ImportingHappening)
    /// Something with a stick.
    case stick(StickHappening)
}
