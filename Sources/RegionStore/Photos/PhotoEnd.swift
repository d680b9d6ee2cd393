import Glibc
import PeerStorage

/// Looks for the end of a photo, which a copy lacks that was interrupted.
///
/// Nothing is decoded. A photo that is damaged otherwise, or that has more after its end, counts as complete.
package struct PhotoEnd {
    private static let windowLength = 256 * 1024

    private let file: OpenFile
    private let size: Int
    private var window: [UInt8] = []
    private var start = 0

    /// Returns whether a photo ends before its last part; false for any other file, and for one that cannot be read.
    package static func isMissing(at path: String) -> Bool {
        guard let file = try? OpenFile(path, O_RDONLY | O_NONBLOCK), let size = try? file.size(),
            size <= UInt64(Photo.maximumSize), let beginning = try? file.bytes(PhotoFormat.signatureLength, at: 0),
            let format = PhotoFormat(beginning: beginning)
        else { return false }
        var end = PhotoEnd(file: file, size: Int(size))
        switch format {
        case .jpeg: return end.isJPEGCut()
        case .png: return end.isPNGCut()
        case .webp: return end.number(at: 4, 4, isBigEndian: false).map { $0 + 8 > end.size } ?? true
        case .heif: return end.isHEIFCut()
        }
    }

    /// Segments with lengths, then data in which the mark of the end is the only one of its kind (ITU-T T.81, annex B).
    private mutating func isJPEGCut() -> Bool {
        var offset = 2
        while let mark = number(at: offset, 2), mark != 0xFFDA {
            guard mark >= 0xFFC0, mark != 0xFFD9 else { return false }
            // Any number of these bytes may stand before a mark.
            guard mark != 0xFFFF else {
                offset += 1
                continue
            }
            guard let length = number(at: offset + 2, 2) else { return true }
            offset += 2 + max(2, length)
        }
        while let byte = number(at: offset, 1) {
            if byte == 0xFF, number(at: offset + 1, 1) == 0xD9 { return false }
            offset += 1
        }
        return true
    }

    private mutating func isPNGCut() -> Bool {
        var offset = 8
        while let length = number(at: offset, 4), let kind = number(at: offset + 4, 4) {
            offset += 12 + length
            if kind == 0x4945_4E44 { return offset > size }
        }
        return true
    }

    /// Boxes, one after the other (ISO/IEC 14496-12, section 4.2).
    private mutating func isHEIFCut() -> Bool {
        var offset = 0
        while offset < size {
            guard var length = number(at: offset, 4), let kind = number(at: offset + 4, 4) else { return true }
            // What follows the last box may be anything.
            let letters = [24, 16, 8, 0].map { kind >> $0 & 0xFF }
            guard letters.allSatisfy((0x20..<0x7F).contains) else { return false }
            // The last box may go to the end of the file.
            if length == 0 { return false }
            if length == 1 {
                guard number(at: offset + 8, 4) == 0 else { return true }
                length = number(at: offset + 12, 4) ?? size
            }
            guard length >= 8 else { return false }
            offset += length
        }
        return offset > size
    }

    /// Reads a number of at most 4 bytes; nil behind the end of the file.
    private mutating func number(at offset: Int, _ count: Int, isBigEndian: Bool = true) -> Int? {
        guard offset >= 0, offset <= size - count else { return nil }
        if offset < start || offset + count > start + window.count {
            guard let bytes = try? file.bytes(Self.windowLength, at: UInt64(offset)) else { return nil }
            (window, start) = (bytes, offset)
        }
        guard offset + count <= start + window.count else { return nil }
        let digits = window[offset - start..<offset - start + count]
        return isBigEndian
            ? digits.reduce(0) { $0 << 8 | Int($1) } : digits.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
