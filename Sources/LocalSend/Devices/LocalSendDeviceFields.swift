/// What JSON says of a device, before it is clear that it is one.
struct LocalSendDeviceFields {
    private static let valueCount = 256
    /// Longer texts are cut or refused; only this much of them is kept meanwhile.
    private static let textLength = 1000

    var alias: String?
    var version = ""
    var model: String?
    var kind: LocalSendDevice.Kind?
    var fingerprint: LocalSendFingerprint?
    var port: LocalSendJSON.Value?
    var scheme: LocalSendJSON.Value?
    var canDownload = false
    var asksForAnswer = false

    /// Reads a text that describes a device.
    static func read(_ json: [UInt8], atMost length: Int) throws(LocalSendFault) -> Self {
        try LocalSendJSON.read(json, atMost: length, valueCount) { try Self(&$0) }
    }

    /// Reads an object that describes a device.
    init(_ json: inout LocalSendJSON) throws {
        var fields = Self()
        try json.readObject { key, json in try fields.read(key, &json) }
        self = fields
    }

    private init() {}

    private mutating func read(_ key: String, _ json: inout LocalSendJSON) throws {
        switch key {
        case "alias": alias = try json.readText(upTo: Self.textLength)
        case "version":
            let text = try json.readText(upTo: 16)
            version = text.flatMap { LocalSendText.isID($0) ? $0 : nil } ?? ""
        case "deviceModel": model = try json.readText(upTo: Self.textLength)
        case "deviceType":
            kind = try json.readText(upTo: 16).flatMap { LocalSendDevice.Kind(rawValue: $0.lowercased()) }
        case "fingerprint":
            fingerprint = try json.readText(upTo: LocalSendFingerprint.maximumLength).flatMap {
                LocalSendFingerprint($0)
            }
        case "port": port = try json.read()
        case "protocol": scheme = try json.read(textUpTo: 16)
        case "download": canDownload = try json.read() == .boolean(true)
        // The second was the key of protocol version 1.
        case "announce", "announcement": asksForAnswer = try json.read() == .boolean(true) || asksForAnswer
        default: try json.skip()
        }
    }

    /// Returns the device.
    func device() throws(LocalSendFault) -> LocalSendDevice {
        guard let alias = alias.flatMap({ LocalSendText.name($0, upTo: LocalSendLimits.aliasLength) }) else {
            throw .missing("alias")
        }
        guard let fingerprint else { throw .missing("fingerprint") }
        var device = LocalSendDevice(
            alias: alias,
            model: model,
            kind: kind,
            fingerprint: fingerprint,
            port: try portNumber(),
            scheme: try schemeName()
        )
        device.version = version
        device.canDownload = canDownload
        return device
    }

    private func portNumber() throws(LocalSendFault) -> UInt16 {
        switch port {
        // Devices of protocol version 1 state none.
        case nil, .null: return LocalSendLimits.usualPort
        case .integer(let number):
            guard let port = UInt16(exactly: number), port > 0 else { throw .invalid("port") }
            return port
        default: throw .invalid("port")
        }
    }

    private func schemeName() throws(LocalSendFault) -> LocalSendDevice.Scheme {
        switch scheme {
        case nil, .null: return .https
        case .text(let name):
            guard let scheme = LocalSendDevice.Scheme(rawValue: name) else { throw .invalid("protocol") }
            return scheme
        default: throw .invalid("protocol")
        }
    }
}
