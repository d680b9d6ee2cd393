package import PeerStorage
package import RegionModel

extension TrackFileReader {
    /// Reads a file that another machine has sent; throws as ``read(_:named:)`` does.
    package func read(_ file: OpenFile, named name: String) throws(RegionStoreError) -> TrackDocument {
        do throws(RegionStoreError) {
            return try read(contentsOf: "/proc/self/fd/\(file.descriptor)", called: name)
        } catch {
            // The person who reads the message knows the file by another name.
            var unnamed = error
            let prefix = name + ": "
            if unnamed.message.hasPrefix(prefix) { unnamed.message.removeFirst(prefix.count) }
            throw unnamed
        }
    }
}
