/// How far the session is with leaving.
struct Departure {
    var hasLeft = false
    /// The number of trusted peers that are being saved.
    var pinCount = 0
    /// Resumes when no connection is left and all trusted peers are saved.
    var whenAtRest: CheckedContinuation<Void, Never>?

    /// Ends the wait.
    mutating func rest() {
        whenAtRest?.resume()
        whenAtRest = nil
    }
}
