/// The HTTP status numbers that have a meaning in this protocol.
package enum LocalSendStatus: Int, Sendable, CaseIterable {
    /// The session has begun, or the file is complete.
    case ok = 200
    /// Nothing has to be sent: no file was picked, or the text was read.
    case nothingNeeded = 204
    /// The request cannot be read.
    case invalid = 400
    /// A PIN is needed, or the one given is wrong.
    case needsPIN = 401
    /// A person said no; or the token is not that of the file, the session, the address and the certificate.
    case refused = 403
    /// The path is none of the protocol.
    case notFound = 404
    /// Another session blocks this one.
    case busy = 409
    /// It is larger than allowed.
    case tooLarge = 413
    /// What arrived does not have the digest that was stated.
    case wrongDigest = 422
    /// There were too many attempts.
    case tooManyAttempts = 429
    /// It went wrong on the side that answers.
    case failed = 500

    /// Returns the content of an answer: LocalSend shows the message to its person.
    package static func json(_ message: String) -> [UInt8] { LocalSendJSON.write(["message": message]) }
}
