package import RegionStore

/// What a sender does with phones that have LocalSend.
package struct LocalSendWishes: Sendable {
    /// The names of phones that get every region as soon as they are there.
    package var phones: [String] = []
    /// The kind of file that phones get; nil for the usual one.
    package var kind: DownloadKind?
    /// The PIN of those phones.
    package var pin: String?
    /// Whether phones get recorded hikes, notes and photos without a question.
    package var includesPersonal = false
    /// Whether the sender ends when those phones have everything or, without such phones, after the first complete transfer.
    package var stopsAfterFirst = false
    /// Whether a person is there to pick phones, and to accept or refuse their files.
    package var asks = false

    /// Creates the usual wishes.
    package init() {}
}
