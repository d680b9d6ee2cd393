import PeerStorage

/// A file that gets its name only when it is complete.
package enum NewFile {
    /// Creates a file from pieces.
    ///
    /// - Parameters:
    ///   - path: The path, which must not exist.
    ///   - body: Writes the content, by calling its argument with one piece after the other.
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/conflict`` if the path exists; or the error of `body`, after
    ///   which there is no file.
    package static func write(
        to path: String,
        _ body: (_ append: (_ piece: [UInt8]) throws -> Void) throws -> Void
    ) throws {
        try FileExport.write(to: path) { file in
            var offset: UInt64 = 0
            try body { piece in
                try file.write(piece, at: offset)
                offset += UInt64(piece.count)
            }
        }
    }
}
