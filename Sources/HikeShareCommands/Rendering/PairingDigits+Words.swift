import PeerCore

extension PairingDigits {
    /// The digits on a line of their own, with space between them, so that they are easy to read and to compare.
    var line: DisplayText {
        let groups = text.split(separator: " ").map { $0.map(String.init).joined(separator: " ") }
        return "    \(groups.joined(separator: "   "), .strong)"
    }

    /// The digits above a question about them.
    func above(_ question: DisplayText) -> DisplayText {
        "\n\(line)\n\nDoes the other screen show the same digits? \(question)"
    }
}
