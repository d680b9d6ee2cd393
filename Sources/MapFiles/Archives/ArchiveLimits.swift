/// The limits on what is read of an archive.
package enum ArchiveLimits {
    /// The maximum number of tiles.
    ///
    /// A few bytes can state that one tile is repeated billions of times.
    package static let tileCount = 50_000_000

    /// The maximum length of the metadata without compression, in bytes.
    static let metadataLength = 4 << 20
}
