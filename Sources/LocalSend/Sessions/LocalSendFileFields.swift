import FoundationEssentials
import PeerProtocol

/// What JSON says of a file, before it is clear that it is one.
struct LocalSendFileFields {
    private var id: LocalSendJSON.Value?
    private var name: String?
    private var size: LocalSendJSON.Value?
    private var type: String?
    private var sha256: LocalSendJSON.Value?
    private var preview: String?
    private var modified: Date?

    /// Reads the description of a file; nil if it is none.
    ///
    /// - `key`: The id of the file in the list.
    static func read(_ key: String, _ json: inout LocalSendJSON) throws -> LocalSendFile? {
        var fields = Self()
        let isObject = try json.readObjectIfAny { key, json in try fields.read(key, &json) }
        return isObject ? fields.file(key) : nil
    }

    private mutating func read(_ key: String, _ json: inout LocalSendJSON) throws {
        switch key {
        case "id": id = try json.read(textUpTo: LocalSendLimits.idLength)
        case "fileName": name = try json.readText(upTo: LocalSendLimits.nameLength)
        case "size": size = try json.read()
        case "fileType": type = try json.readText(upTo: 100)
        case "sha256": sha256 = try json.read(textUpTo: 64)
        case "preview": preview = try json.readText(upTo: LocalSendLimits.textLength)
        case "metadata":
            var date: Date?
            _ = try json.readObjectIfAny { key, json in
                if key == "modified" { date = try json.readText(upTo: 40).flatMap(Self.date) } else { try json.skip() }
            }
            modified = date
        default: try json.skip()
        }
    }

    private func file(_ key: String) -> LocalSendFile? {
        // Two ids would be two files: one is asked about, and the other comes.
        guard id == nil || id == .null || id == .text(key), case .integer(let size) = size, let name else { return nil }
        let type = type.flatMap { LocalSendText.isID($0) ? $0.lowercased() : nil } ?? LocalSendFile.unknownType
        var digest: ContentDigest?
        switch sha256 {
        case nil, .null, .text(""): break
        case .text(let text):
            digest = ContentDigest(hex: text)
            guard digest != nil else { return nil }
        default: return nil
        }
        // LocalSend may put a small picture of a photo there.
        let text = type.hasPrefix("text/") ? preview : nil
        return LocalSendFile(
            id: key,
            name: name,
            size: size,
            type: type,
            sha256: digest,
            preview: text,
            modified: modified
        )
    }

    /// Reads a date (RFC 3339), with or without fractions of seconds.
    private static func date(_ text: String) -> Date? {
        (try? Date(text, strategy: .iso8601))
            ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }
}
