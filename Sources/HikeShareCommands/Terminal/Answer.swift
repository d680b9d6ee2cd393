/// What a person's line means.
enum Answer {
    /// Tells whether it is a yes.
    ///
    /// No line at all, at the end of the input, is a no.
    static func isYes(_ line: String?, byDefault: Bool = false) -> Bool {
        guard let line else { return false }
        let word = line.filter { !$0.isWhitespace }.lowercased()
        return word.isEmpty ? byDefault : ["y", "yes"].contains(word)
    }

    /// Tells whether it is a clear no, or nothing at all.
    static func isNo(_ line: String?) -> Bool {
        guard let line else { return true }
        return ["", "n", "no"].contains(line.filter { !$0.isWhitespace }.lowercased())
    }
}
