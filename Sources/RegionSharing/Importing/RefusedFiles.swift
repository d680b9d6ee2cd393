package import RegionStore

/// A file that cannot be imported.
public struct RefusedFile: Sendable {
    /// What was done with it.
    package enum Work: Sendable {
        /// It was looked at. By its name, it was meant to be of this kind; nil if the name does not say that.
        case reading(meant: ImportKind?)
        /// A map was imported.
        case map
        /// Tracks were imported; whether a person has chosen the region.
        case tracks(hasRegion: Bool)
        /// A photo was added to a waypoint.
        case photo
        /// A routing database was added to its map.
        case routing
    }

    /// Why it cannot be imported.
    public var error: any Error
    package var work: Work
}

/// The files that cannot be imported.
///
/// Each error is told at once, and the import continues with the other files.
struct RefusedFiles: Sendable {
    let person: any Person
    private(set) var files: [RefusedFile] = []

    init(_ person: any Person) { self.person = person }

    /// Runs the work on one file, and tells the error with which it fails.
    ///
    /// - Returns: The result; nil if it has failed.
    /// - Throws: The error if it does not concern the file.
    mutating func collect<Result>(
        _ work: RefusedFile.Work,
        _ body: () async throws -> Result
    ) async throws -> Result? {
        do {
            return try await body()
        } catch {
            try note(error, work)
            return nil
        }
    }

    /// Tells the error of one file.
    ///
    /// - Throws: The error if it does not concern the file.
    mutating func note(_ error: any Error, _ work: RefusedFile.Work) throws {
        guard error is RegionStoreError || error is ImportError else { throw error }
        files.append(RefusedFile(error: error, work: work))
        person.tell(.importing(.refused(RefusedFile(error: error, work: work))))
    }
}
