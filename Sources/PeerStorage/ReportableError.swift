/// An error with words that the other side may be told.
public protocol ReportableError: Error {
    /// What went wrong, in words that a person at the other machine understands.
    var reportToPeer: String { get }

    /// Whether the disk, a permission or a database of this side is in the way: the disk is full, for instance.
    var isOfStorage: Bool { get }
}

extension ReportableError {
    /// False.
    public var isOfStorage: Bool { false }
}
