extension Coordinate {
    /// Reads a position as maps and GPS receivers print it: `42.58,1.45`, `42.58, 1.45`, `42°34.7N 1°26.9E`, `N42 34 42 E1 26 54`.
    ///
    /// The latitude comes first. Decimal degrees may be negative; degrees with letters may have minutes and seconds.
    package init?(text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part -> Double? in
            let words = part.split(separator: " ")
            return words.count == 1 ? Double(words[0]) : nil
        }
        if parts.count == 2, let latitude = parts[0], let longitude = parts[1] {
            self.init(latitude: latitude, longitude: longitude)
            return
        }
        var (numbers, letters) = ([[Double]](), [Character]())
        var isBefore = false
        let spaced = text.uppercased().flatMap { character -> String in
            if "NSEW".contains(character) { return " \(character) " }
            return "°'′’\"″”,:".contains(character) ? " " : String(character)
        }
        for word in String(spaced).split(separator: " ") {
            if word.count == 1, let letter = word.first, "NSEW".contains(letter) {
                if letters.isEmpty { isBefore = numbers.isEmpty }
                letters.append(letter)
                if isBefore { numbers.append([]) }
            } else if let number = Double(word), number >= 0, number.isFinite, word.first?.isNumber == true {
                let index = isBefore ? numbers.count - 1 : letters.count
                if index == numbers.count { numbers.append([]) }
                guard numbers.indices.contains(index) else { return nil }
                numbers[index].append(number)
            } else {
                return nil
            }
        }
        guard letters.count == 2, "NS".contains(letters[0]), "EW".contains(letters[1]), numbers.count == 2,
            numbers.allSatisfy({ (1...3).contains($0.count) && $0.dropFirst().allSatisfy { $0 < 60 } })
        else { return nil }
        let degrees = zip(numbers, letters).map { parts, letter in
            let size = parts.reversed().reduce(0) { $0 / 60 + $1 }
            return "SW".contains(letter) ? -size : size
        }
        self.init(latitude: degrees[0], longitude: degrees[1])
    }
}
