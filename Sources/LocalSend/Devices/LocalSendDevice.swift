/// A device, as it describes itself.
package struct LocalSendDevice: Hashable, Sendable {
    /// What a device is.
    package enum Kind: String, Sendable, CaseIterable {
        case mobile, desktop, web, headless, server
    }

    /// How a device is spoken to.
    package enum Scheme: String, Sendable, CaseIterable {
        case http, https
    }

    /// The name, a claim of 1 to 100 bytes in one line, without control characters.
    package var alias: String
    /// The protocol version; empty if it is none.
    package var version = LocalSendLimits.version
    /// The model, or the operating system; nil if it says none.
    package var model: String?
    /// What it is; nil if it says nothing, or what is not known.
    package var kind: Kind?
    /// Its fingerprint; a claim.
    package var fingerprint: LocalSendFingerprint
    /// Its TCP port.
    package var port: UInt16
    /// How it is spoken to.
    package var scheme: Scheme
    /// Whether it has files that can be downloaded with a browser.
    package var canDownload = false

    /// Creates a device; the alias is cut as one that comes from a device.
    ///
    /// An alias without a visible character becomes `-`.
    package init(
        alias: String,
        model: String? = nil,
        kind: Kind? = nil,
        fingerprint: LocalSendFingerprint,
        port: UInt16,
        scheme: Scheme = .https
    ) {
        self.alias = LocalSendText.name(alias, upTo: LocalSendLimits.aliasLength) ?? "-"
        self.model = model.flatMap { LocalSendText.name($0, upTo: LocalSendLimits.aliasLength) }
        (self.kind, self.fingerprint, self.port, self.scheme) = (kind, fingerprint, port, scheme)
    }

    /// Reads what a device says when it registers.
    package init(json: [UInt8]) throws(LocalSendFault) {
        self = try LocalSendDeviceFields.read(json, atMost: LocalSendLimits.registrationLength).device()
    }

    /// Reads the answer of a device that was asked at a port: it need not state that again.
    ///
    /// - `certificate`: The fingerprint of the certificate of the device; nil without encryption. Whatever the device says, it is
    ///   recognised by that.
    package init(
        answer json: [UInt8],
        at port: UInt16,
        _ scheme: Scheme,
        certificate: LocalSendFingerprint?
    ) throws(LocalSendFault) {
        var fields = try LocalSendDeviceFields.read(json, atMost: LocalSendLimits.registrationLength)
        fields.port = .integer(UInt64(port))
        fields.scheme = .text(scheme.rawValue)
        fields.fingerprint = certificate ?? fields.fingerprint
        self = try fields.device()
    }

    /// Returns the JSON of the device; of an announcement, if `announce` is given.
    package func json(announce: Bool? = nil) -> [UInt8] { LocalSendJSON.write(wire(announce: announce)) }

    func wire(announce: Bool? = nil) -> Wire {
        Wire(
            alias: alias,
            version: version,
            deviceModel: model,
            deviceType: kind?.rawValue,
            fingerprint: fingerprint.text,
            port: port,
            protocol: scheme.rawValue,
            download: canDownload,
            announce: announce
        )
    }

    /// The JSON of a device.
    struct Wire: Encodable {
        var alias: String
        var version: String
        var deviceModel: String?
        var deviceType: String?
        var fingerprint: String
        var port: UInt16
        var `protocol`: String
        var download: Bool
        var announce: Bool?
    }
}
