package import RegionStore

/// Why phones do not get something by LocalSend, as the end of a command.
package enum LocalSendError: SharingError, Hashable {
    /// A wanted phone does not have the file.
    case ended(LocalSendPhone, LocalSendEnd)
    /// No phone was there, or none that could be meant, with each of these names that were wanted; the time limit, if it was that.
    case notFound([String], within: Duration?)
    /// A region has no file of a kind.
    case noKind(DownloadKind, RegionSummary)
}
