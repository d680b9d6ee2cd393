public import RegionStore

/// Something about phones: on the page for them, which a sender shows besides sending, or by LocalSend.
///
/// What is added to the store is told as if it was imported here (``ImportingHappening``).
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum PhoneHappening: Sendable {
    /// The page is shown.
    case shown(PhonePageFacts)
    /// A download from the page has begun, continued or ended.
    case download(PhoneDownload)
    /// More of a file that a phone sends has arrived; with the whole size also when the file has ended early.
    case upload(PhoneUpload)
    /// A file that has come is examined; nil at the end.
    case examining(PhoneFile, ImportProgress?)
    /// A file cannot be added, and its phone was told why.
    case unusable(PhoneFile)
    /// There was no answer in time, so a file was not added.
    case unanswered(PhoneFile)
    /// This machine could not add a file.
    case failed(PhoneFile, any Error)
    /// Something about phones that have LocalSend.
    case localSend(LocalSendHappening)
}

/// Why the page for phones is not shown.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum PhoneError: SharingError, Hashable {
    /// The page cannot be served on this port, for a reason in the system's words.
    case port(Int, reason: String)
}
