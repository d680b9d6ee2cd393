/// What tells one found service from all others.
public struct ServiceKey: Hashable, Sendable {
    /// The name of the service.
    public let name: String
    /// The type, as in `_hikeshare._tcp`.
    public let type: String
    /// The domain, usually `local`.
    public let domain: String
    /// The interface over which it was seen.
    public let interface: NetworkInterface
    /// The version of the internet protocol over which it was seen.
    public let ipVersion: IPVersion
}
