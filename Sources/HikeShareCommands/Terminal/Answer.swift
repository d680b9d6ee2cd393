/// The meaning of an answer that a person typed.
enum Answer {
    /// Returns whether the answer is a yes.
    ///
    /// The end of the input is a no.
    static func isYes(_ line: String?, byDefault: Bool = false) -> Bool {
        guard let line else { return false }
        let word = line.filter { !$0.isWhitespace }.lowercased()
        return word.isEmpty ? byDefault : ["y", "yes"].contains(word)
    }

    /// Returns whether the answer is a clear no, or empty.
    static func isNo(_ line: String?) -> Bool {
        guard let line else { return true }
        return ["", "n", "no"].contains(line.filter { !$0.isWhitespace }.lowercased())
    }
}
