import NearbyPeers

/// The command line: `SessionBench PROGRAM listen|connect [--NAME VALUE...]`.
struct Options: Sendable {
    /// What runs.
    var program: String
    /// Whether this side listens.
    var isListening: Bool
    private var values: [String: String] = [:]

    /// Reads the command line of this process; nil if it is wrong.
    init?(_ words: [String]) {
        guard words.count >= 2, words.count.isMultiple(of: 2), ["listen", "connect"].contains(words[1]) else {
            return nil
        }
        program = words[0]
        isListening = words[1] == "listen"
        for index in stride(from: 2, to: words.count, by: 2) {
            guard words[index].hasPrefix("--") else { return nil }
            values[String(words[index].dropFirst(2))] = words[index + 1]
        }
    }

    /// The number of an option.
    func number(_ name: String, _ standard: Double = 0) -> Double { values[name].flatMap(Double.init) ?? standard }

    /// The whole number of an option.
    func count(_ name: String, _ standard: Int = 0) -> Int { values[name].flatMap(Int.init) ?? standard }

    /// The text of an option.
    func text(_ name: String) -> String { values[name] ?? "" }

    /// Whether an option is 1.
    func isOn(_ name: String) -> Bool { values[name] == "1" }

    /// The address of the other side.
    var address: PeerAddress {
        get throws {
            guard let address = values["to"].flatMap(PeerAddress.init(parsing:)) else {
                throw Problem("--to HOST:PORT is missing")
            }
            return address
        }
    }
}

/// Why nothing could be measured.
struct Problem: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}
