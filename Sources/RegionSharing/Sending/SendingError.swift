public import PeerCore
import RegionStore

/// Why regions cannot be sent.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum SendingError: SharingError, Hashable {
    /// There are more than this maximum of one list.
    case tooManyRegions(maximum: Int)
    /// A receiver has picked a region that is not offered.
    case notOffered
    /// No receiver has come within this time.
    case noReceiver(Duration)
    /// Nothing reads the results.
    case unread
    /// A person has stopped the sender.
    case stopped
}

extension SendingError: ReportableError {
    /// What the receiver is told; it learns of one cause.
    public var reportToPeer: String { "This region is not offered." }
}
