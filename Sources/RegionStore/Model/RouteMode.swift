/// How a planned route is travelled.
public enum RouteMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// On foot.
    case hiking

    /// On a bicycle.
    case cycling
}
