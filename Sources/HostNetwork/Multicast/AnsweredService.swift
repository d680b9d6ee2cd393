/// A service as answers of multicast DNS describe it (RFC 6763); nothing proves that it is true.
///
/// An answer need not say everything: what was asked by unicast is answered in at most 512 bytes.
package struct AnsweredService: Hashable, Sendable {
    /// The maximum number of services of a message, and of addresses of a service.
    private static let maximumCount = 64

    /// The name, which people see.
    package var name: String
    /// The port, which is not 0; nil if the answer does not say it.
    package var port: UInt16?
    /// The strings that describe it; nil if the answer does not have them.
    package var text: [[UInt8]]?
    /// The addresses of its host.
    package var addresses: [IPAddress] = []

    /// Adds what another answer says and this one does not.
    package mutating func add(_ other: AnsweredService) {
        if port == nil { (port, addresses) = (other.port, other.addresses) }
        text = text ?? other.text
    }

    /// Returns the services of a type that a message announces.
    package static func services(of type: DNSName, in message: DNSMessage) -> [AnsweredService] {
        var names: [DNSName] = []
        var services: [DNSName: AnsweredService] = [:]
        var hosts: [DNSName: DNSName] = [:]
        for record in message.records {
            var subject = record.name
            if case .service(let target) = record.content, record.name == type { subject = target }
            guard let name = subject.instanceName(in: type), services[subject] != nil || names.count < maximumCount
            else {
                continue
            }
            if services[subject] == nil {
                names.append(subject)
                services[subject] = AnsweredService(name: name)
            }
            switch record.content {
            case .location(let host, let port) where port > 0:
                services[subject]?.port = port
                hosts[subject] = host
            case .text(let strings): services[subject]?.text = strings
            case .location, .service, .address: break
            }
        }
        return names.compactMap { name in
            var service = services[name]
            let addresses = message.records.lazy.compactMap { record -> IPAddress? in
                guard case .address(let address) = record.content, record.name == hosts[name] else { return nil }
                return address
            }
            service?.addresses = Array(addresses.prefix(maximumCount))
            return service
        }
    }
}
