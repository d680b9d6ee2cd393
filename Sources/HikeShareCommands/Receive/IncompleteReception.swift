/// The error of a reception of which a part is kept for the next attempt.
struct IncompleteReception: Error {
    /// The reason why the reception ended.
    var underlying: any Error
    /// The kept part.
    var kept: KeptReport
}
