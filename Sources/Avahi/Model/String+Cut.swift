extension String {
    /// The longest beginning that has at most `limit` bytes of UTF-8 and ends at a character.
    ///
    /// If the first character alone is longer (combining marks can be piled up without end), it is cut at a scalar.
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
