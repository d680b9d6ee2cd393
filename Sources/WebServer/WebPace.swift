/// Lets the answer with a file wait for others.
package protocol WebPace: Sendable {
    /// The longest piece that may be sent now, in bytes.
    var pieceLimit: Int { get }

    /// Waits until a piece may be sent.
    ///
    /// - Parameters:
    ///   - bytes: The length of the piece.
    ///   - left: The bytes of the whole file that this answer has not sent, with the piece.
    func wait(_ bytes: Int, left: UInt64) async

    /// The answer has ended, complete or not.
    func leave()
}
