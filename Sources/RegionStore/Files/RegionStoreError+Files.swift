import PeerStorage

extension RegionStoreError {
    /// Returns an error of this machine's storage, with the failed operation, the file and the reason.
    static func storage(_ action: String, _ path: String, _ error: SystemError) -> RegionStoreError {
        RegionStoreError(.storage, "\(path) cannot be \(action): \(error.reason).", remedy: error.remedy, cause: error)
    }

    /// Runs an operation on a file, and translates its error into one that names the operation and the file.
    static func mapping<Result>(
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
