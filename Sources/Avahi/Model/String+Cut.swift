extension String {
    /// Returns the longest prefix that has at most `limit` bytes of UTF-8 and ends at a character boundary.
    ///
    /// If the first character is longer (a character can have any number of combining marks), the prefix ends at a scalar.
    func cut(toUTF8Length limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var length = 0
        var end = startIndex
        while end < endIndex {
            length += self[end].utf8.count
            guard length <= limit else { break }
            end = index(after: end)
        }
        if end > startIndex { return String(self[..<end]) }
        length = 0
        while end < endIndex {
            length += unicodeScalars[end].utf8.count
            guard length <= limit else { break }
            end = unicodeScalars.index(after: end)
        }
        return String(unicodeScalars[..<end])
    }
}
