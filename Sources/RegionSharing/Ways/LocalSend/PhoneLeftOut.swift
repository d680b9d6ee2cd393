import RegionStore

/// A file of a phone that was not added.
public struct PhoneLeftOut: Hashable, Sendable {
    /// The file.
    public var file: PhoneFile
    /// Why, and what to do about it, in sentences.
    public var reason: String

    /// Creates it.
    public init(_ file: PhoneFile, _ reason: String) { (self.file, self.reason) = (file, reason) }
}
