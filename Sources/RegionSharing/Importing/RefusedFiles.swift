import RegionStore

/// The files that cannot be imported.
///
/// Each error is told at once, and the import continues with the other files.
struct RefusedFiles: Sendable {
    let person: any Person
    private(set) var files: [RefusedFile] = []

    init(_ person: any Person) { self.person = person }

    /// Runs the work on one file, and tells the error with which it fails; nil if it has failed.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    mutating func collect<Result>(
        _ work: RefusedFile.Work,
        _ file: InputFile,
        _ body: () async throws -> Result
    ) async throws -> Result? {
        try Task.checkCancellation()
        do {
            return try await body()
        } catch {
            try Task.checkCancellation()
            try note(file.naming(error), of: file.path, work)
            return nil
        }
    }

    /// Tells the error of one file.
    mutating func note(_ error: any Error, of file: String, _ work: RefusedFile.Work) throws {
        guard error is RegionStoreError || error is ImportError else { throw error }
        let refused = RefusedFile(file: file, error: error, work: work)
        files.append(refused)
        person.tell(.importing(.refused(refused)))
    }
}
