/// The values that identify a found service.
public struct ServiceKey: Hashable, Sendable {
    /// The name of the service.
    public let name: String
    /// The type, such as `_http._tcp`.
    public let type: String
    /// The domain, usually `local`.
    public let domain: String
    /// The interface on which the service was found.
    public let interface: NetworkInterface
    /// The IP version with which the service was found.
    public let ipVersion: IPVersion
}
