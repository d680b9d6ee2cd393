/// Photos that say where they were taken.
package enum EXIFPhoto {
    /// A photo whose EXIF data state a position in whole degrees and minutes.
    package static func bytes(
        at latitude: (UInt32, UInt32),
        _ longitude: (UInt32, UInt32),
        letters: (String, String) = ("N", "E"),
        isBigEndian: Bool = true
    ) -> [UInt8] {
        var tiff = Array((isBigEndian ? "MM\0*" : "II*\0").utf8)
        func add(_ number: UInt32, _ length: Int = 4) {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * $0)) }
            tiff += isBigEndian ? bytes.reversed() : bytes
        }
        func entry(_ tag: UInt32, _ type: UInt32, _ count: UInt32, _ value: UInt32) {
            add(tag, 2)
            add(type, 2)
            add(count)
            add(value)
        }
        func entry(_ tag: UInt32, _ letter: String) {
            add(tag, 2)
            add(2, 2)
            add(2)
            tiff += Array(letter.utf8) + [0, 0, 0]
        }
        add(8)
        add(1, 2)
        entry(0x8825, 4, 1, 26)
        add(0)
        add(4, 2)
        entry(1, letters.0)
        entry(2, 5, 3, 80)
        entry(3, letters.1)
        entry(4, 5, 3, 104)
        add(0)
        for (degrees, minutes) in [latitude, longitude] {
            for number in [degrees, 1, minutes * 10, 10, 0, 1] { add(number) }
        }
        // The mark is found behind what looks like it.
        return [0xFF, 0xD8, 0xFF, 0xE1, 0, 0] + Array("ExExif\0\0".utf8) + tiff
    }
}
