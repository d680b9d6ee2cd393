public import PeerStorage

/// An error of RegionStore: what went wrong, why, and what a person can do about it.
public struct RegionStoreError: Error, Sendable {
    /// What kind of error it is.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Name: String {
            case invalidFile
            case notFound
            case ambiguous
            case storage
            case invalidArgument
            case conflict
            case refused
        }

        private let name: Name

        /// A file that was given to us is not what it must be.
        public static let invalidFile = Code(name: .invalidFile)
        /// There is nothing of that name or id.
        public static let notFound = Code(name: .notFound)
        /// There is more than one thing of that name.
        public static let ambiguous = Code(name: .ambiguous)
        /// The disk, a permission or the database is in the way, or a file could not be checked within the limits of time
        /// and memory.
        public static let storage = Code(name: .storage)
        /// The caller asked for something that cannot be.
        public static let invalidArgument = Code(name: .invalidArgument)
        /// What is asked for contradicts what is in the store.
        public static let conflict = Code(name: .conflict)
        /// Data that a peer sent are not acceptable.
        public static let refused = Code(name: .refused)

        /// The code's name.
        public var description: String { name.rawValue }
    }

    /// What kind of error it is.
    public var code: Code

    /// What went wrong, and why, in words that a hiker understands.
    public var message: String

    /// What to do about it; nil if there is nothing to do.
    public var remedy: String?

    /// The error that led to this one.
    public var cause: (any Error)?

    /// Creates an error.
    package init(_ code: Code, _ message: String, remedy: String? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
        self.cause = cause
    }
}

extension RegionStoreError: CustomStringConvertible {
    /// The code, the message and the remedy on one line.
    public var description: String {
        ([String(describing: code) + ":", message, remedy].compactMap { $0 }).joined(separator: " ")
    }
}

extension RegionStoreError: ReportableError {
    /// The message.
    public var reportToPeer: String { message }

    /// Whether the code is ``Code/storage``.
    public var isOfStorage: Bool { code == .storage }
}
