import MapFiles
import PeerStorage
import RegionModel

/// The format of a photo.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum PhotoFormat: String, Hashable, Sendable, CaseIterable {
    /// JPEG, `image/jpeg`.
    case jpeg
    /// PNG, `image/png`.
    case png
    /// WebP, `image/webp`.
    case webp
    /// HEIF, including HEIC, `image/heif`.
    case heif

    /// The number of bytes by which the format is detected.
    static let signatureLength = 12

    /// Detects the format of a photo by its first bytes; nil for any other file.
    package init?(beginning bytes: some Collection<UInt8>) {
        let bytes = Array(bytes.prefix(Self.signatureLength))
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.count == Self.signatureLength, bytes.starts(with: Array("RIFF".utf8)),
            bytes[8...].elementsEqual("WEBP".utf8)
        {
            self = .webp
        } else if bytes.count == Self.signatureLength, bytes[4..<8].elementsEqual("ftyp".utf8),
            Self.brands.contains(where: { bytes[8...].elementsEqual($0.utf8) })
        {
            self = .heif
        } else {
            return nil
        }
    }

    /// The extension of file names, with the dot.
    public var suffix: String {
        switch self {
        case .jpeg: ".jpg"
        case .png: ".png"
        case .webp: ".webp"
        case .heif: ".heic"
        }
    }

    /// The major brands of HEIF images (ISO/IEC 23008-12, annex B).
    private static let brands = ["heic", "heix", "heim", "heis", "hevc", "mif1", "msf1"]
}
