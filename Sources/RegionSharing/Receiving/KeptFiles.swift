import PeerCore
package import RegionStore

/// The files of a region that are kept for the next attempt.
public struct KeptFiles: Sendable {
    package var files: [IncomingFile]

    /// The approximate number of bytes that are kept.
    public var byteCount: UInt64 { files.reduce(0) { $0 + $1.byteCount } }
}

/// The error of a transfer whose received part is kept for the next attempt.
public struct IncompleteReception: Error {
    /// The reason why the reception ended.
    public var underlying: any Error
    /// The kept part.
    public var kept: KeptFiles

    package init(underlying: any Error, kept: KeptFiles) { (self.underlying, self.kept) = (underlying, kept) }
}
