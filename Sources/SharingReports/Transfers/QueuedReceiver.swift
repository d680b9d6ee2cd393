package import PeerCore

/// A receiver that is served in turn with others.
package struct QueuedReceiver: Hashable, Sendable {
    /// The receiver's name.
    package var name: DisplayText
    /// Its place.
    package var turn: TransferTurn

    /// Creates the value.
    package init(name: DisplayText, turn: TransferTurn) {
        self.name = name
        self.turn = turn
    }

    /// The place in words, for the person at the receiver.
    package var words: DisplayText { "You are \(Wording.ordinal(turn.place))\(time)" }

    /// The place in words, for the person at the sender; nil if it is served now.
    package var wordsForSender: DisplayText? {
        turn.place == 1 ? nil : "\(Wording.ordinal(turn.place)) \(name)\(time)"
    }

    private var time: DisplayText { turn.timeLeft.map { ", \(Wording.roughly($0))" } ?? "" }
}

/// A change of a place.
package struct TurnReport: Report {
    package var transfer: Int
    package var receiver: QueuedReceiver

    /// Creates the value.
    package init(transfer: Int, receiver: QueuedReceiver) {
        self.transfer = transfer
        self.receiver = receiver
    }

    package var payloads: [JSONObject] {
        [
            [
                "type": "turn",
                "transfer": transfer,
                "place": receiver.turn.place,
                "receivers": receiver.turn.count,
                "secondsLeft": receiver.turn.timeLeft.map { $0.components.seconds },
            ]
        ]
    }

    package var text: DisplayText { receiver.turn.place == 1 ? "It is your turn." : receiver.words }
}
