extension String {
    /// Returns the longest prefix of the string that has at most `maximum` UTF-8 bytes and ends between two characters.
    package func prefix(utf8Count maximum: Int) -> String {
        guard utf8.count > maximum else { return self }
        var count = 0
        return String(
            prefix { character in
                count += character.utf8.count
                return count <= maximum
            }
        )
    }
}
