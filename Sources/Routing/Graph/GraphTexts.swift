/// Texts, each of which is kept once.
struct GraphTexts {
    private(set) var list = [""]
    private var length = 0
    private var indexes: [String: UInt16] = [:]

    /// Returns where a text is in the list, after adding it if it is not; nil if there are too many.
    mutating func index(of text: String) -> UInt16? {
        var text = text
        while text.utf8.count > GraphLimits.textLength { text.removeLast() }
        if let index = indexes[text] { return index }
        length += text.utf8.count
        guard list.count < GraphLimits.textCount, length <= GraphLimits.textsLength else { return nil }
        let index = UInt16(list.count)
        indexes[text] = index
        list.append(text)
        return index
    }
}
