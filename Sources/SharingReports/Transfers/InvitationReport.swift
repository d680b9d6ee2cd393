package import PeerCore
package import RegionSharing

extension InvitationQuestion: ObjectReport {
    package var json: JSONObject {
        ["type": "invitation", "peer": peer.json, "part": part?.json, "digits": digits?.digits]
    }

    package var text: DisplayText {
        "\(peer.title) wants \(wanted)\(time)\(peer.warning(hasDigits: digits != nil))"
    }

    /// How long it takes, for the whole map: a part is not made yet, and of several regions it is not known which are picked.
    private var time: DisplayText {
        guard part == nil, regionCount == 1, let turn, let timeLeft = turn.timeLeft else { return "" }
        let others = turn.place > 1 ? ", after \(Wording.count(turn.place - 1, "other receiver"))" : ""
        return " (\(Wording.roughly(timeLeft))\(others))"
    }

    private var wanted: DisplayText {
        let part = part.map { PartFacts(description: $0, tileCount: 0).words }
        guard regionCount == 1 else {
            let choice: DisplayText = "to pick from your \(regionCount) regions"
            return part.map { "\(choice), of the map only a part: \($0)" } ?? choice
        }
        let name = DisplayText(quoting: regionName)
        return part.map { "a part of \(name): \($0)" } ?? name
    }

    /// The text if no question is asked here; the person at the receiver may compare the digits.
    package var announcement: DisplayText {
        guard let digits else { return text }
        return "\(text); digits \(digits.text)"
    }

    /// The text above the question, which must be answered within a time.
    package func introduction(in time: Duration) -> DisplayText {
        let whole = ConnectionConfiguration().invitationTimeout
        // The question is shown a moment after the time has begun, on a busy machine.
        let left = time > whole - .seconds(3) ? whole : time
        let seconds = max(1, left.components.seconds)
        let patience: DisplayText = "Answer within \(seconds) seconds."
        return [text, personal.words, patience].compactMap { $0 }.joined(separator: "\n")
    }

    /// The question, which names the peer again because other lines may come between.
    package var question: DisplayText {
        let send: DisplayText = regionCount == 1 ? "Send it to \(peer.name)?" : "Let \(peer.name) pick?"
        return digits?.above(send, comparedWith: peer.name) ?? send
    }
}

extension PairingDigits {
    /// The digits on a line of their own, with space between them, so that they are easy to read and to compare.
    package var line: DisplayText {
        let groups = text.split(separator: " ").map { $0.map(String.init).joined(separator: " ") }
        return "    \(groups.joined(separator: "   "), .strong)"
    }

    /// The digits above a question, and what to do if the other screen does not show them.
    package func above(_ question: DisplayText, comparedWith name: DisplayText) -> DisplayText {
        "\n\(line)\n\nDoes \(name) see the same digits? If not, say no: someone is in between.\n\(question)"
    }
}
