/// What this program is called, to people and to peers.
enum Software {
    /// The version, the only place where it is written.
    static let version = "0.1.0"

    /// Name and version, as peers are told.
    static let description = "hikeshare \(version)"
}
