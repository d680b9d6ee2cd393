import PeerCore
package import PhoneSharing

extension PhoneTurn {
    /// What the page says of it.
    package var words: String {
        switch self {
        case .downloading(let turn):
            let time = turn.timeLeft.map { ", " + Wording.roughly($0) } ?? ""
            return turn.place == 1
                ? "Your download is being sent\(time)." : "Your download is \(Wording.ordinal(turn.place))\(time)."
        case .waiting(let turn):
            let others = Wording.count(turn.place - 1, "other")
            let time = turn.timeLeft.map { ", and then takes \(Wording.roughly($0)) in all" } ?? ""
            return "The laptop serves \(others) first. A download waits for its turn\(time)."
        }
    }
}
