import PeerStorage
import RegionModel

extension RegionStoreError {
    /// Runs work on files, and translates an error of the system into one that names the operation and the file.
    static func mapping<Result>(_ action: String, _ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SystemError {
            throw storage(action, path, error)
        }
    }
}
