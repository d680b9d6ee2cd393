import FoundationEssentials
import Glibc
import RegionStore
import Sentences
import SharingReports

/// The files that the desktop, or a person, gives to the window.
///
/// The address of the page carries their paths, so another start gives them to a window that is open. The page asks before the program
/// reads anything.
struct OpenedFiles: Equatable, Sendable {
    /// The maximum length of the paths in an address, in bytes.
    ///
    /// What the page sends to the program is not longer than twice that, and fits in its limit.
    static let maximumLength = 8000
    static let maximumCount = 100
    /// What follows the address of the page; empty without files.
    let fragment: String

    /// Checks files.
    ///
    /// - Parameters:
    ///   - paths: The paths, as they were given.
    ///   - arguments: The arguments as bytes, among which those are found that are not UTF-8.
    ///   - folder: The folder in which relative paths begin.
    init(_ paths: [String], arguments: [[CChar]] = [], in folder: String) throws(CommandError) {
        let odd = Set(arguments.map(Self.text).filter { $0.isRepaired }.map(\.text))
        for path in paths {
            guard !odd.contains(path) else {
                throw CommandError(
                    .unknownFile,
                    "The name of \(path) is not UTF-8, so the window cannot open it.",
                    remedy: "Rename the file or its folder, or import it with 'hikeshare import'."
                )
            }
            guard !path.isEmpty, access(path.hasPrefix("/") ? path : folder + "/" + path, F_OK) == 0 else {
                throw CommandError(.notFound, "There is no file “\(path)”.", remedy: "Check the name.")
            }
        }
        let absolute = paths.map { $0.hasPrefix("/") ? $0 : folder + "/" + $0 }
        let encoded = absolute.map { "add=" + Self.encode($0) }.joined(separator: "&")
        guard paths.count <= Self.maximumCount, encoded.utf8.count <= Self.maximumLength else {
            throw CommandError(
                .usage,
                "\(Wording.count(paths.count, "file")) cannot be opened at once: these are too many, or their names are too long.",
                remedy: "Open the folder that has them, or fewer files."
            )
        }
        fragment = paths.isEmpty ? "" : "#" + encoded
    }

    /// An argument, and whether its bytes are not UTF-8.
    private static func text(of argument: [CChar]) -> (text: String, isRepaired: Bool) {
        let bytes = argument.map { UInt8(bitPattern: $0) }
        let text = String(decoding: bytes, as: UTF8.self)
        return (text, !text.utf8.elementsEqual(bytes))
    }

    /// Writes a path with no character that means something in an address.
    private static func encode(_ path: String) -> String {
        var bytes: [UInt8] = []
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "/"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}
