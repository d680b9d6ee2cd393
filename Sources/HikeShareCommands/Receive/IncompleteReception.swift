/// The error of a transfer whose received part is kept for the next attempt.
struct IncompleteReception: Error {
    /// The reason why the reception ended.
    var underlying: any Error
    /// The kept part.
    var kept: KeptReport
}
