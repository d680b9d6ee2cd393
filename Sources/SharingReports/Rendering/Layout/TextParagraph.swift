/// A text without line feeds, which is broken into lines.
package struct TextParagraph {
    private struct Glyph {
        var range: Range<Int>
        var width: Int
        /// Whether a line may end before it.
        var isSpace: Bool
    }

    private let text: DisplayText
    private let glyphs: [Glyph]

    package init(_ text: DisplayText) {
        self.text = text
        let whole = text.marks.filter { [.style(.command), .style(.code)].contains($0.kind) }.map(\.range)
        var offset = 0
        glyphs = text.string.map { character in
            let range = offset..<(offset + character.utf8.count)
            offset = range.upperBound
            let isSpace = character == " " && !whole.contains { $0.contains(range.lowerBound) }
            return Glyph(range: range, width: DisplayWidth.of(character), isSpace: isSpace)
        }
    }

    /// The width of the widest part that cannot be broken.
    package var longestWord: Int {
        var (longest, current) = (0, 0)
        for index in glyphs.indices {
            current = canBreak(before: index) ? 0 : current
            current += glyphs[index].isSpace ? 0 : glyphs[index].width
            longest = max(longest, current)
        }
        return longest
    }

    /// Breaks the text into lines.
    package func lines(width: Int) -> [DisplayText] {
        guard columns(of: glyphs.indices) > width else { return [text] }
        var lines: [DisplayText] = []
        var (start, indentation) = (0, 0)
        while start < glyphs.count {
            let (end, next) = lineEnd(from: start, width: width - indentation)
            let bytes = glyphs[start].range.lowerBound..<glyphs[end - 1].range.upperBound
            lines.append(DisplayText.spaces(indentation) + text.slice(bytes))
            start = next
            indentation = self.indentation(before: start, width: width)
        }
        return lines
    }

    /// Returns where a line ends, and where the next one begins.
    private func lineEnd(from start: Int, width: Int) -> (end: Int, next: Int) {
        var column = 0
        var index = start
        var candidate: (end: Int, next: Int)?
        if start == 0 {
            // These spaces are the indentation of the text.
            index = leadingSpaces
            column = index
        }
        while index < glyphs.count {
            if glyphs[index].isSpace {
                let end = index
                while index < glyphs.count, glyphs[index].isSpace { index += 1 }
                guard index < glyphs.count else { break }
                column += index - end
                candidate = (end, index)
            } else if index > start, canBreak(before: index) {
                candidate = (index, index)
            }
            column += glyphs[index].width
            if column > width, let candidate { return candidate }
            index += 1
        }
        return (glyphs.count, glyphs.count)
    }

    /// Whether a line may end between two characters that are not spaces: only between those of East Asia.
    private func canBreak(before index: Int) -> Bool {
        if glyphs[index].isSpace { return true }
        return index > 0 && glyphs[index].width > 1 && glyphs[index - 1].width > 1
    }

    private var leadingSpaces: Int { glyphs.prefix { $0.isSpace }.count }

    /// The indentation of a further line, which begins with this character.
    private func indentation(before start: Int, width: Int) -> Int {
        guard start < glyphs.count else { return 0 }
        let end = glyphs.indices.dropFirst(start + 1).first { canBreak(before: $0) } ?? glyphs.count
        let word = columns(of: start..<end)
        return [hang(width), leadingSpaces + 2].first { $0 + word <= width } ?? 0
    }

    /// The column at which further lines begin if they have room there.
    private func hang(_ width: Int) -> Int {
        let indentation = leadingSpaces
        if text.string.dropFirst(indentation).hasPrefix("- ") { return indentation + 2 }
        var (result, column) = (indentation, indentation)
        for index in glyphs.indices.dropFirst(indentation) {
            let isGap = index > indentation + 1 && glyphs[index - 1].isSpace && glyphs[index - 2].isSpace
            if isGap, !glyphs[index].isSpace, column <= width / 2 { result = column }
            column += glyphs[index].width
        }
        return result
    }

    private func columns(of range: Range<Int>) -> Int { glyphs[range].reduce(0) { $0 + $1.width } }
}
