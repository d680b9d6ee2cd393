/// The requests of the protocol.
package enum LocalSendPath: Hashable, Sendable {
    /// A device says who it is, and learns who this is.
    case register
    /// A device only asks who this is.
    case info
    /// A device wants to send what its content lists.
    case prepareUpload(pin: String?)
    /// A device sends a file.
    case upload(session: String, file: String, token: String)
    /// A device stops; without a session, what it has asked for and was not answered.
    case cancel(session: String?)

    private static let root = "/api/localsend/v2/"

    /// Reads a request; nil if the path is none of the protocol.
    ///
    /// - `query`: What follows the path, decoded.
    /// - Throws: ``LocalSendFault/missing(_:)`` if a part is missing or cannot be one.
    package init?(_ path: String, query: [String: String]) throws(LocalSendFault) {
        func value(_ key: String) throws(LocalSendFault) -> String {
            guard let text = query[key], LocalSendText.isID(text) else { throw .missing(key) }
            return text
        }
        switch path {
        case Self.root + "register": self = .register
        // The second is how LocalSend until 1.17 asks an address that it does not know.
        case Self.root + "info", "/api/localsend/v1/info": self = .info
        case Self.root + "prepare-upload": self = .prepareUpload(pin: try query["pin"] == nil ? nil : value("pin"))
        case Self.root + "upload":
            self = .upload(session: try value("sessionId"), file: try value("fileId"), token: try value("token"))
        case Self.root + "cancel": self = .cancel(session: try query["sessionId"] == nil ? nil : value("sessionId"))
        default: return nil
        }
    }

    /// Whether the request only reads (`GET`); all others are `POST`.
    package var isReading: Bool { self == .info }

    /// The path, without the query.
    package var path: String {
        switch self {
        case .register: Self.root + "register"
        case .info: Self.root + "info"
        case .prepareUpload: Self.root + "prepare-upload"
        case .upload: Self.root + "upload"
        case .cancel: Self.root + "cancel"
        }
    }

    /// What follows the path, not encoded.
    package var query: [String: String] {
        switch self {
        case .register, .info: [:]
        case .prepareUpload(let pin): pin.map { ["pin": $0] } ?? [:]
        case .upload(let session, let file, let token): ["sessionId": session, "fileId": file, "token": token]
        case .cancel(let session): session.map { ["sessionId": $0] } ?? [:]
        }
    }
}
