import PeerProtocol
import PeerStorage
import RegionModel

extension FileDigester {
    /// Reads and hashes a file, and writes its bytes to another file if one is given.
    ///
    /// Calls `progress` on any thread with the number of processed bytes.
    ///
    /// - Throws: `RegionStoreError` that names the file by `path`.
    func digest(
        _ file: OpenFile,
        copyingTo target: OpenFile? = nil,
        path: String,
        progress: (@Sendable (_ done: Int64, _ total: Int64) -> Void)? = nil
    ) throws(RegionStoreError) -> Result {
        let size = try RegionStoreError.mapping("read", path) { () throws(SystemError) in try file.size() }
        guard let layout = ChunkLayout(size: size) else {
            throw RegionStoreError(
                .invalidFile,
                "\(path) has \(size) bytes; files of more than \(ChunkLayout.maximumSize) bytes cannot be shared."
            )
        }
        return try RegionStoreError.mapping(target == nil ? "read" : "copied into the store", path) {
            () throws(SystemError) in
            try digest(file, layout, copyingTo: target, progress: progress)
        }
    }
}
