/// What a receiver accepts of an offer.
package struct LocalSendAgreement: Hashable, Sendable {
    private static let valueCount = 4096

    /// The id of the session.
    package var session: String
    /// The token of each accepted file, by the id of the file.
    package var tokens: [String: String]

    /// Creates an agreement.
    package init(session: String, tokens: [String: String]) { (self.session, self.tokens) = (session, tokens) }

    /// Reads an agreement.
    ///
    /// A list without files is one. An id or a token that cannot be one is refused: the file would never arrive.
    package init(json: [UInt8]) throws(LocalSendFault) {
        var session: String?
        var tokens: [String: String]?
        try LocalSendJSON.read(json, atMost: LocalSendLimits.agreementLength, Self.valueCount) { json in
            try json.readObject { key, json in
                switch key {
                case "sessionId": session = try json.readText(upTo: LocalSendLimits.idLength)
                case "files":
                    var found: [String: String] = [:]
                    try json.readObject { id, json in
                        guard found.count < LocalSendLimits.fileCount else { throw LocalSendFault.tooManyFiles }
                        guard LocalSendText.isID(id), let token = try json.readText(upTo: LocalSendLimits.idLength),
                            LocalSendText.isID(token)
                        else { throw LocalSendFault.invalid("files") }
                        found[id] = token
                    }
                    tokens = found
                default: try json.skip()
                }
            }
        }
        guard let tokens else { throw .missing("files") }
        guard let session, LocalSendText.isID(session) else { throw .missing("sessionId") }
        self.init(session: session, tokens: tokens)
    }

    /// The JSON of the agreement.
    package var json: [UInt8] { LocalSendJSON.write(Wire(sessionId: session, files: tokens)) }

    private struct Wire: Encodable {
        var sessionId: String
        var files: [String: String]
    }
}
