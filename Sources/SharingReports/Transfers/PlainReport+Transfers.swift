package import PeerCore
package import RegionSharing

/// What happens before and during a transfer.
extension Report where Self == PlainReport {
    /// The sender has said yes, and makes a part of its map now.
    package static func accepted(_ transfer: Int, by peer: RemotePeer?) -> Self {
        Self(
            ["type": "accepted", "transfer": transfer, "peer": peer?.json],
            "\(peer?.title ?? "The other side") has said yes, and prepares the part of the map…"
        )
    }

    /// The digits that two machines show if they do not know each other.
    package static func pairing(_ transfer: Int, with peer: RemotePeer?, _ digits: PairingDigits) -> Self {
        Self(
            ["type": "pairing", "transfer": transfer, "peer": peer?.json, "digits": digits.digits],
            "The screen of \(peer?.name ?? "the other side") must show the same digits:\n\n\(digits.line)\n"
        )
    }

    /// The place of a receiver has changed.
    package static func turn(_ transfer: Int, of receiver: QueuedReceiver) -> Self {
        Self(
            [
                "type": "turn",
                "transfer": transfer,
                "place": receiver.turn.place,
                "receivers": receiver.turn.count,
                "secondsLeft": receiver.turn.timeLeft.map { $0.components.seconds },
            ],
            receiver.turn.place == 1 ? "It is your turn." : receiver.words
        )
    }

    /// The name that discovery announces for a sender.
    package static func advertised(_ name: String) -> Self {
        Self(["type": "advertised", "name": name], "Announced as \(name)")
    }

    /// What `receive --keep` has changed, in one line.
    package static func kept(_ received: ReceivedRegion) -> Self {
        let text = received.text
        let line = text.slice(0..<(text.string.split(separator: "\n").first.map { $0.utf8.count } ?? 0))
        return Self(lines: received.payloads, line)
    }
}
