package import PeerCore

/// A receiver that is served in turn with others.
package struct QueuedReceiver: Hashable, Sendable {
    package var name: DisplayText
    /// Its place.
    package var turn: TransferTurn

    /// The place in words, for the person at the receiver.
    package var words: DisplayText { "You are \(Wording.ordinal(turn.place))\(time)" }

    /// The place in words, for the person at the sender; nil if it is served now.
    package var wordsForSender: DisplayText? {
        turn.place == 1 ? nil : "\(Wording.ordinal(turn.place)) \(name)\(time)"
    }

    private var time: DisplayText { turn.timeLeft.map { ", \(Wording.roughly($0))" } ?? "" }
}
