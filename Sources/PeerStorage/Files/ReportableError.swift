/// An error whose message may be sent to the other side.
///
/// ```swift
/// struct TooLarge: ReportableError {
///     var reportToPeer: String { "This machine takes up to 50 MB." }
/// }
/// ```
public protocol ReportableError: Error {
    /// What went wrong, in words that the person at the other machine understands.
    var reportToPeer: String { get }

    /// Whether the cause is the storage of this machine: a full disk, a missing permission, or a database error.
    var isOfStorage: Bool { get }
}

extension ReportableError {
    /// False.
    public var isOfStorage: Bool { false }
}
