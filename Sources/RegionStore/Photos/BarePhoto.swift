import Glibc
import PeerProtocol

/// A photo taken apart: its picture, and what it says of the camera, the place and the time.
///
/// What is left depends on the photo alone, so a transfer of it can be resumed.
struct BarePhoto {
    /// A part of what is left.
    enum Piece: Hashable {
        case range(Range<Int>)
        case bytes([UInt8])
        case filling(UInt8, count: Int)

        var count: Int {
            switch self {
            case .range(let range): range.count
            case .bytes(let bytes): bytes.count
            case .filling(_, let count): count
            }
        }
    }

    /// The file is not one of its format, or has parts that this program does not know.
    struct Unreadable: Error {}

    /// The maximum length of data that are searched for details, in bytes.
    static let maximumDataLength = 1 << 20

    /// The most pieces of a photo: each reading passes all of them.
    private static let maximumPieceCount = 10_000

    /// What is left without the details.
    private(set) var pieces: [Piece] = []

    /// What the photo says.
    var details: PhotoDetails = []

    private let photo: PhotoReader

    /// Takes a photo apart.
    ///
    /// - Parameter isForDetails: Whether only the details are needed; most are at the beginning.
    init(_ photo: PhotoReader, isForDetails: Bool = false) throws {
        self.photo = photo
        switch photo.format {
        case .jpeg: try readJPEG(isForDetails: isForDetails)
        case .png: try readPNG()
        case .webp: try readWebP()
        case .heif: try readHEIF()
        }
    }

    // MARK: What the formats share

    /// Adds a part of the photo.
    mutating func keep(_ range: Range<Int>) throws {
        guard range.upperBound <= photo.size, pieces.count < Self.maximumPieceCount else { throw Unreadable() }
        if case .range(let last) = pieces.last, last.upperBound == range.lowerBound {
            pieces[pieces.count - 1] = .range(last.lowerBound..<range.upperBound)
        } else {
            pieces.append(.range(range))
        }
    }

    /// Adds other bytes.
    mutating func add(_ piece: Piece) { pieces.append(piece) }

    /// The number of bytes of the photo.
    var size: Int { photo.size }

    /// Reads bytes of the photo.
    func bytes(_ start: Int, _ count: Int) throws -> [UInt8] {
        guard start >= 0, count >= 0, count <= photo.size - min(start, photo.size) else { throw Unreadable() }
        return count == 0 ? [] : try photo.read(start..<start + count)
    }

    /// Reads data that may have details.
    func data(_ start: Int, _ count: Int) throws -> [UInt8] { try bytes(start, min(count, Self.maximumDataLength)) }

    /// Reads a number, with its first byte first.
    func integer(_ start: Int, _ count: Int) throws -> Int {
        try bytes(start, count).reduce(0) { $0 << 8 | Int($1) }
    }

    /// Notes details, and returns how the picture has to be turned.
    mutating func note(exif bytes: [UInt8]) -> UInt8 {
        let data = ExifData(bytes)
        details.formUnion(data.details)
        return data.orientation
    }

    // MARK: JPEG (ITU-T T.81, annex B)

    private mutating func readJPEG(isForDetails: Bool) throws {
        try keep(0..<2)
        var (position, isTurned) = (2, false)
        while position < size {
            let start = try bytes(position, 2)
            guard start[0] == 0xFF else { throw Unreadable() }
            if start[1] == 0xFF {
                position += 1
                continue
            }
            if start[1] == 0xD9 {
                // What follows is another picture, or a film, with details of its own.
                return try keep(position..<position + 2)
            }
            let length = try integer(position + 2, 2)
            guard length >= 2 else { throw Unreadable() }
            let segment = position..<position + 2 + length
            let isKept = try isPicture(start[1], segment)
            if isKept {
                try keep(segment)
            } else if start[1] == 0xE1 {
                let body = try bytes(position + 4, length - 2)
                if body.starts(with: ExifData.beginning) {
                    let orientation = note(exif: body)
                    if orientation != 1, !isTurned {
                        isTurned = true
                        let data = ExifData.beginning + ExifData.turning(orientation)
                        add(.bytes([0xFF, 0xE1, 0, UInt8(data.count + 2)] + data))
                    }
                } else {
                    details.formUnion(PhotoDetails(xmp: body))
                }
            }
            position = segment.upperBound
            guard start[1] == 0xDA else { continue }
            if isForDetails { return }
            let next = try nextMarker(after: position)
            try keep(position..<next)
            position = next
        }
    }

    /// Whether a segment belongs to the picture: its tables, and how its colours are meant.
    private func isPicture(_ marker: UInt8, _ segment: Range<Int>) throws -> Bool {
        func begins(with text: String) throws -> Bool {
            try bytes(segment.lowerBound + 4, min(segment.count - 4, text.utf8.count)).elementsEqual(text.utf8)
        }
        return switch marker {
        case 0xC0...0xCF, 0xDA...0xDF: true
        case 0xE0: try begins(with: "JFIF\0")
        case 0xE2: try begins(with: "ICC_PROFILE\0")
        case 0xEE: try begins(with: "Adobe")
        default: false
        }
    }

    /// Finds the end of the coded picture: a marker that is no restart and no coded byte.
    private func nextMarker(after start: Int) throws -> Int {
        let length = 256 << 10
        var position = start
        while position < size {
            let piece = try bytes(position, min(length, size - position))
            var offset = 0
            while let found = piece.firstIndex(of: 0xFF, from: offset) {
                guard found + 1 < piece.count else { break }
                guard [0, 0xFF].contains(piece[found + 1]) || (0xD0...0xD7).contains(piece[found + 1]) else {
                    return position + found
                }
                offset = found + 1
            }
            // The second byte of a marker may be in the next piece.
            position += piece.count == 1 ? 1 : piece.count - (piece.last == 0xFF ? 1 : 0)
        }
        return size
    }

    // MARK: PNG (ISO/IEC 15948)

    private static let pngPicture: Set<String> = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "cLLI", "bKGD",
        "hIST", "pHYs", "sPLT", "acTL", "fcTL", "fdAT",
    ]

    private mutating func readPNG() throws {
        try keep(0..<8)
        var position = 8
        while position < size {
            let (length, kind) = (try integer(position, 4), String(decoding: try bytes(position + 4, 4), as: UTF8.self))
            let chunk = position..<position + 12 + length
            switch kind {
            case _ where Self.pngPicture.contains(kind): try keep(chunk)
            case "eXIf":
                let orientation = note(exif: try data(position + 8, length))
                if orientation != 1 {
                    let content = Array("eXIf".utf8) + ExifData.turning(orientation)
                    add(.bytes((content.count - 4).bigEndian4 + content + Int(ZIPForm.checksum(content)).bigEndian4))
                }
            case "tIME": details.insert(.time)
            case "iTXt", "tEXt": details.formUnion(PhotoDetails(xmp: try data(position + 8, length)))
            // All other chunks that are needed for the picture begin with a capital letter.
            case _ where kind.utf8.first.map { $0 & 0x20 == 0 } ?? true: throw Unreadable()
            default: break
            }
            if kind == "IEND" { return }
            position = chunk.upperBound
        }
        throw Unreadable()
    }

    // MARK: WebP (RFC 9649)

    private mutating func readWebP() throws {
        let end = 8 + (try littleEndian(4))
        var (position, orientation) = (12, UInt8(1))
        var chunks: [(kind: String, range: Range<Int>)] = []
        while position < end {
            let kind = String(decoding: try bytes(position, 4), as: UTF8.self)
            let length = try littleEndian(position + 4)
            // Chunks begin at even bytes.
            chunks.append((kind, position..<position + 8 + length + length % 2))
            switch kind {
            case "EXIF": orientation = note(exif: try data(position + 8, length))
            case "XMP ": details.formUnion(PhotoDetails(xmp: try data(position + 8, length)))
            default: break
            }
            position += 8 + length + length % 2
        }
        let kept = chunks.filter { ["VP8X", "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF", "ICCP"].contains($0.kind) }
        let turning = orientation == 1 ? [] : ExifData.turning(orientation)
        let chunk = turning.isEmpty ? [] : Array("EXIF".utf8) + turning.count.littleEndian4 + turning
        add(.bytes(Array("RIFF".utf8)))
        add(.bytes((4 + kept.reduce(chunk.count) { $0 + $1.range.count }).littleEndian4 + Array("WEBP".utf8)))
        for (kind, range) in kept {
            guard kind == "VP8X", range.count > 8 else {
                try keep(range)
                continue
            }
            var header = try bytes(range.lowerBound, range.count)
            // The flags say which chunks there are: 8 for Exif, 4 for XMP.
            header[8] = header[8] & ~0x0C | (chunk.isEmpty ? 0 : 0x08)
            add(.bytes(header))
        }
        add(.bytes(chunk))
    }

    private func littleEndian(_ start: Int) throws -> Int {
        try bytes(start, 4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

extension PhotoReader {
    /// What the photo says of the camera, the place and the time; nil if it cannot be taken apart.
    func details() throws -> PhotoDetails? {
        do {
            return try BarePhoto(self, isForDetails: true).details
        } catch is BarePhoto.Unreadable {
            return nil
        }
    }

    /// Returns the photo without what it says of the camera, the place and the time; nil if it cannot be taken apart.
    package func withoutDetails() throws -> PhotoReader? {
        let pieces: [BarePhoto.Piece]
        do {
            pieces = try BarePhoto(self).pieces.filter { $0.count > 0 }
        } catch is BarePhoto.Unreadable {
            return nil
        }
        let read = read
        return PhotoReader(format: format, size: pieces.reduce(0) { $0 + $1.count }) { wanted in
            var (result, start) = ([UInt8](), 0)
            for piece in pieces {
                let part = wanted.clamped(to: start..<start + piece.count)
                defer { start += piece.count }
                guard !part.isEmpty else { continue }
                let range = part.lowerBound - start..<part.upperBound - start
                switch piece {
                case .range(let source):
                    result += try read(source.lowerBound + range.lowerBound..<source.lowerBound + range.upperBound)
                case .bytes(let bytes): result += bytes[range]
                case .filling(let byte, _): result += [UInt8](repeating: byte, count: range.count)
                }
            }
            return result
        }
    }
}

extension [UInt8] {
    /// Returns where a byte is for the first time from an index on.
    fileprivate func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        withUnsafeBytes { buffer in
            guard start < buffer.count, let base = buffer.baseAddress,
                let found = memchr(base + start, CInt(byte), buffer.count - start)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }
}

extension Int {
    /// The last four bytes, the most significant one first.
    var bigEndian4: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> (24 - 8 * $0)) } }

    /// The last four bytes, the least significant one first.
    fileprivate var littleEndian4: [UInt8] { bigEndian4.reversed() }
}
