import CAvahi

/// The version of the Internet Protocol with which a service is published or found.
public enum IPVersion: Hashable, Sendable {
    /// IPv4.
    case v4
    /// IPv6.
    case v6

    init?(_ number: AvahiProtocol) {
        switch Int(number) {
        case AVAHI_PROTO_INET: self = .v4
        case AVAHI_PROTO_INET6: self = .v6
        default: return nil
        }
    }

    /// Avahi's number for a version; nil stands for both.
    static func number(_ version: IPVersion?) -> AvahiProtocol {
        switch version {
        case .v4: AvahiProtocol(AVAHI_PROTO_INET)
        case .v6: AvahiProtocol(AVAHI_PROTO_INET6)
        case nil: AvahiProtocol(AVAHI_PROTO_UNSPEC)
        }
    }
}
