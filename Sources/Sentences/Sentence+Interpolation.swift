extension Sentence: ExpressibleByStringInterpolation {
    /// Collects the words of a sentence, and what stands in its places.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var pieces = [""]
        fileprivate var values: [Value] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { pieces[pieces.count - 1] += literal }

        package mutating func appendInterpolation(_ text: String) { append(.text(text)) }

        package mutating func appendInterpolation(_ number: Int) { append(.number(number)) }

        package mutating func appendInterpolation(_ sentence: Sentence) { append(.sentence(sentence)) }

        /// Adds a number with digits after the decimal mark of the language.
        package mutating func appendInterpolation(_ value: Double, places: Int) {
            append(.decimal(value, places: places))
        }

        /// Adds a number of things.
        ///
        /// - Parameter noun: The English word for one of them, a literal.
        package mutating func appendInterpolation(_ number: Int, _ noun: StaticString) {
            append(.counted(number, noun: noun.description))
        }

        private mutating func append(_ value: Value) {
            values.append(value)
            pieces.append("")
        }
    }

    package init(stringLiteral literal: String) { self.init([literal], []) }

    package init(stringInterpolation parts: StringInterpolation) { self.init(parts.pieces, parts.values) }
}

extension Sentence {
    /// Returns a sentence that is so long that it is written as a sum of literals.
    package static func + (beginning: Sentence, end: Sentence) -> Sentence {
        let middle = (beginning.pieces.last ?? "") + (end.pieces.first ?? "")
        return Sentence(
            beginning.pieces.dropLast() + [middle] + end.pieces.dropFirst(),
            beginning.values + end.values
        )
    }

    /// Returns things in one sentence: `routes, waypoints and photos`; nil if there are none.
    package static func list(_ things: [Sentence]) -> Sentence? {
        guard let last = things.last, let list = enumeration(things.dropLast()) else { return things.last }
        return Sentence("\(list) and \(last)")
    }

    /// Returns things with commas between them; nil if there are none.
    package static func enumeration(_ things: some Sequence<Sentence>) -> Sentence? {
        things.reduce(nil) { list, next in list.map { list in Sentence("\(list), \(next)") } ?? next }
    }

    /// Returns sentences one after the other; nil if there are none.
    package static func sequence(_ sentences: [Sentence], between: String = " ") -> Sentence? {
        guard let first = sentences.first else { return nil }
        return sentences.dropFirst().reduce(first) { all, next in
            Sentence(["", between, ""], [.sentence(all), .sentence(next)])
        }
    }
}
