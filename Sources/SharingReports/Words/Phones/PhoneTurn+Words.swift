import PeerCore
package import PhoneSharing
package import Sentences

extension PhoneTurn {
    /// What the page says of it.
    package var words: Sentence {
        switch self {
        case .downloading(let turn):
            let place = Self.ordinal(turn.place)
            guard let time = turn.timeLeft.map(Self.roughly) else {
                return turn.place == 1
                    ? Sentence("Your download is being sent.") : Sentence("Your download is \(place).")
            }
            // Translators: {time}: “about 20 s”, the time until the download has ended.
            return turn.place == 1
                ? Sentence("Your download is being sent, \(time).") : Sentence("Your download is \(place), \(time).")
        case .waiting(let turn):
            let others = turn.place - 1
            guard let time = turn.timeLeft.map(Self.roughly) else {
                // Translators: “other”: another phone or laptop that downloads.
                return Sentence("The laptop serves \(others, "other") first. A download waits for its turn.")
            }
            // Translators: {time}: “about 20 s”. “other”: another phone or laptop that downloads.
            return Sentence(
                """
                The laptop serves \(others, "other") first. A download waits for its turn, and then takes \(time) in all.
                """
            )
        }
    }

    /// The same as `Wording.roughly`.
    private static func roughly(_ duration: Duration) -> Sentence {
        let seconds = Int(clamping: max(0, duration.components.seconds))
        return switch seconds {
        case ..<10: Sentence("some seconds")
        case ..<55: tens((seconds + 5) / 10 * 10)
        case ..<3300: Sentence("about \((seconds + 30) / 60, "minute")")
        case ..<360_000: Sentence("about \((seconds + 1800) / 3600, "hour")")
        default: Sentence("more than 99 hours")
        }
    }

    private static func tens(_ seconds: Int) -> Sentence { Sentence("about \(seconds) s") }

    /// The same as `Wording.ordinal`.
    private static func ordinal(_ place: Int) -> Sentence {
        // Translators: Completes “Your download is {place}.” So do the next ones.
        let words = [
            Sentence("first"), Sentence("second"), Sentence("third"), Sentence("fourth"), Sentence("fifth"),
            Sentence("sixth"), Sentence("seventh"), Sentence("eighth"), Sentence("ninth"),
        ]
        if words.indices.contains(place - 1) { return words[place - 1] }
        return switch (place % 100, place % 10) {
        case (11...13, _): Sentence("\(place)th")
        case (_, 1): Sentence("\(place)st")
        case (_, 2): Sentence("\(place)nd")
        case (_, 3): Sentence("\(place)rd")
        default: Sentence("\(place)th")
        }
    }
}
