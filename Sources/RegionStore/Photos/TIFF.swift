import RegionModel

/// The data of Exif: a TIFF file without a picture (EXIF 2.32, section 4.6).
struct TIFF {
    private let bytes: ArraySlice<UInt8>
    private let isBigEndian: Bool

    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.starts(with: "MM\0*".utf8) || bytes.starts(with: "II*\0".utf8) else { return nil }
        self.bytes = bytes
        isBigEndian = bytes.first == UInt8(ascii: "M")
    }

    var position: Coordinate? {
        guard let first = number(at: 4, length: 4), let directory = entry(0x8825, of: first),
            let gps = number(at: directory + 8, length: 4),
            let latitude = degrees(2, negativeIf: "S", 1, of: gps),
            let longitude = degrees(4, negativeIf: "W", 3, of: gps),
            // Cameras without a position write zeros.
            latitude != 0 || longitude != 0
        else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// Reads an angle: degrees, minutes and seconds, each as a fraction.
    private func degrees(_ tag: Int, negativeIf letter: Character, _ letterTag: Int, of directory: Int) -> Double? {
        guard let angle = entry(tag, of: directory), let start = number(at: angle + 8, length: 4),
            let reference = entry(letterTag, of: directory), let sign = number(at: reference + 8, length: 1)
        else { return nil }
        var sum = 0.0
        for (index, unit) in [1.0, 60.0, 3600.0].enumerated() {
            guard let numerator = number(at: start + 8 * index, length: 4),
                let denominator = number(at: start + 8 * index + 4, length: 4), denominator > 0
            else { return nil }
            sum += Double(numerator) / Double(denominator) / unit
        }
        return sign == Int(letter.asciiValue ?? 0) ? -sum : sum
    }

    /// Returns the place of the entry with a tag; nil if there is none.
    func entry(_ tag: Int, of directory: Int) -> Int? {
        guard let count = number(at: directory, length: 2) else { return nil }
        // A file that lies has fewer entries than it says.
        let present = (bytes.count - directory - 2) / 12
        return (0..<min(count, max(0, present))).lazy.map { directory + 2 + 12 * $0 }.first {
            number(at: $0, length: 2) == tag
        }
    }

    /// Reads a number of at most 4 bytes; nil if it is outside the data.
    func number(at offset: Int, length: Int) -> Int? {
        guard offset >= 0, length <= bytes.count, offset <= bytes.count - length else { return nil }
        let digits = bytes.dropFirst(offset).prefix(length)
        return isBigEndian
            ? digits.reduce(0) { $0 << 8 | Int($1) } : digits.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
