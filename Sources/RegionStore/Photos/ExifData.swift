/// The data of Exif in a photo, as far as they can be read.
struct ExifData {
    private(set) var details: PhotoDetails = []

    /// How the picture has to be turned and mirrored, from 2 to 8; 1 if it stays as it is.
    private(set) var orientation: UInt8 = 1

    /// What data begin with in a segment of a JPEG file; WebP may have it, too.
    static let beginning = Array("Exif".utf8) + [0, 0]

    /// Reads data.
    init(_ bytes: [UInt8]) {
        let start = bytes.starts(with: Self.beginning) ? Self.beginning.count : 0
        guard let tiff = TIFF(bytes.dropFirst(start)), let first = tiff.number(at: 4, length: 4) else { return }
        func has(_ tags: [Int], in directory: Int?) -> Bool {
            guard let directory else { return false }
            return tags.contains { tiff.entry($0, of: directory) != nil }
        }
        func directory(_ tag: Int) -> Int? { tiff.entry(tag, of: first).flatMap { tiff.number(at: $0 + 8, length: 4) } }
        if let entry = tiff.entry(0x0112, of: first), let value = tiff.number(at: entry + 8, length: 2),
            (2...8).contains(value)
        {
            orientation = UInt8(value)
        }
        let (exif, gps) = (directory(0x8769), directory(0x8825))
        // The maker, the model and the program; the owner, the numbers and the lens; and what the maker notes.
        if has([0x010F, 0x0110, 0x0131], in: first) || has([0xA430, 0xA431, 0xA433, 0xA434, 0xA435, 0x927C], in: exif) {
            details.insert(.camera)
        }
        if has([0x0132], in: first) || has([0x9003, 0x9004], in: exif) || has([0x0007, 0x001D], in: gps) {
            details.insert(.time)
        }
        if has([0x0002, 0x0004], in: gps) { details.insert(.place) }
    }

    /// Returns data that say nothing but how the picture has to be turned.
    static func turning(_ orientation: UInt8) -> [UInt8] {
        // One entry: the tag, a short number, one of them, and its value. No directory follows.
        [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
    }
}
