/// Something went wrong at one side, which ends the connection.
package struct Failure: Hashable, Sendable, Codable {
    /// What kind of error it is, of the wire format's table; an unknown code is to be read as `failed`.
    package var code: String
    /// What went wrong, for the person at the other side.
    package var message: String
    /// What to do about it.
    package var remedy: String?

    package init(code: String, message: String, remedy: String? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }

    private enum CodingKeys: CodingKey { case code, message, remedy }

    /// Reads a failure.
    ///
    /// A missing remedy is nil; any other missing key is an error.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        code = try container.decode(String.self, forKey: .code)
        message = try container.decode(String.self, forKey: .message)
        remedy = try container.decodeUnlessMissing(String.self, forKey: .remedy)
    }

    func isWithin(_ limits: ProtocolLimits) -> Bool {
        [code, message, remedy ?? ""].allSatisfy { $0.utf8.count <= limits.maximumTextLength }
    }
}
