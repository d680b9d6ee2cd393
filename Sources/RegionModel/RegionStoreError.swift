public import FoundationEssentials
public import PeerStorage

/// An error of RegionStore: what went wrong, why, and what a person can do about it.
public struct RegionStoreError: Error, Sendable {
    /// The kind of an error.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Name: String, CaseIterable {
            case invalidFile, notFound, ambiguous, storage, invalidArgument, conflict, refused
        }

        private let name: Name

        /// All codes.
        package static var all: [Code] { Name.allCases.map(Code.init(name:)) }

        /// A file is damaged or has the wrong format.
        public static let invalidFile = Code(name: .invalidFile)
        /// Nothing has that name or id.
        public static let notFound = Code(name: .notFound)
        /// Several things have that name or id.
        public static let ambiguous = Code(name: .ambiguous)
        /// Reading or writing failed: a full disk, a missing permission, or a database error.
        ///
        /// Or the check of a file exceeded the limits of time or memory.
        public static let storage = Code(name: .storage)
        /// An argument is not valid.
        public static let invalidArgument = Code(name: .invalidArgument)
        /// The operation conflicts with existing data or with a running transfer.
        public static let conflict = Code(name: .conflict)
        /// Data from a peer are not acceptable.
        public static let refused = Code(name: .refused)

        /// The code's name.
        public var description: String { name.rawValue }
    }

    /// The kind of the error.
    public var code: Code

    /// What went wrong, and why, in words that a person without technical knowledge understands.
    public var message: String

    /// What the person can do; nil if nothing helps.
    public var remedy: String?

    /// The underlying error; nil if there is none.
    public var cause: (any Error)?

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

extension RegionStoreError: LocalizedError {
    /// The message.
    public var errorDescription: String? { message }

    /// The remedy.
    public var recoverySuggestion: String? { remedy }
}

extension RegionStoreError: ReportableError {
    /// The message.
    public var reportToPeer: String { message }

    /// Whether the code is ``Code/storage``.
    public var isOfStorage: Bool { code == .storage }
}

extension RegionStoreError {
    /// Returns an error of this machine's storage, with the failed operation, the file and the reason.
    package static func storage(_ action: String, _ path: String, _ error: SystemError) -> RegionStoreError {
        RegionStoreError(.storage, "\(path) cannot be \(action): \(error.reason).", remedy: error.remedy, cause: error)
    }

    /// Runs an operation on a file, and translates its error into one that names the operation and the file.
    package static func mapping<Result>(
        _ action: String,
        _ path: String,
        _ body: () throws(SystemError) -> Result
    ) throws(RegionStoreError) -> Result {
        do {
            return try body()
        } catch {
            throw .storage(action, path, error)
        }
    }
}
