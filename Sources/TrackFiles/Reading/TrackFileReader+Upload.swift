package import PeerStorage
package import RegionModel

extension TrackFileReader {
    /// Reads a file that another machine has sent.
    ///
    /// - Parameters:
    ///   - file: The file, which may have no name.
    ///   - name: The name of a single item without a name.
    /// - Returns: The content of the file.
    /// - Throws: As ``read(_:named:)``.
    package func read(_ file: OpenFile, named name: String) throws(RegionStoreError) -> GPXDocument {
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
