extension String {
    /// The prefix of a name in XML, with its colon; empty if it has none.
    var xmlPrefix: String {
        let colon = utf8.firstIndex(of: 0x3A).map { utf8.index(after: $0) } ?? startIndex
        return String(self[..<colon])
    }

    /// The name without its prefix.
    var xmlLocalName: String { String(dropFirst(xmlPrefix.count)) }
}
