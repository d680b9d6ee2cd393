/// What a connection is for; its socket is tuned for that.
enum ConnectionUse: Sendable {
    /// Transfers, whose data is read in large pieces.
    case transfer
    /// Links, whose messages are short and must not wait.
    case link
}
