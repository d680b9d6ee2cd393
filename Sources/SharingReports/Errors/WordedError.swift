package import RegionSharing

/// An error of the sharing with the words that a person reads.
package protocol WordedError: SharingError {
    /// What went wrong, why, and what to do.
    var words: CommandError { get }
}
