package import PeerCore

/// The place of a phone among receivers and other downloads.
package enum PhoneTurn: Hashable, Sendable {
    /// The place of its download that is the last.
    case downloading(TransferTurn)
    /// The place that a download would have.
    case waiting(TransferTurn)
}
