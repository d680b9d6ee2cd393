import Avahi
import HostNetwork
import NIOCore

/// What comes of the answers to one question over one line: a plain value.
///
/// An answer counts if it repeats the number of the question and comes from the port of multicast DNS (RFC 6762, section 6.7) and
/// from the network of the interface, so that no machine elsewhere can invent peers.
struct DirectAnswers: Sendable {
    /// The maximum number of answers that are read; the next question gets further ones.
    static let maximumCount = 256
    /// The maximum number of services that are known in part only.
    private static let maximumUnfinished = 16

    private let line: DirectLine
    private let type: DNSName
    private let id: UInt16
    private var count = 0
    /// What is known of services that are known in part only, and the machine that said it.
    private var unfinished: [Voice: AnsweredService] = [:]

    private struct Voice: Hashable {
        var source: IPAddress
        var name: String
    }

    init(over line: DirectLine, of type: PeerServiceType, id: UInt16) {
        (self.line, self.type, self.id) = (line, DNSName(services: type.description), id)
    }

    /// Whether no further answer is read.
    var isFull: Bool { count >= Self.maximumCount }

    /// The question.
    var question: [UInt8] { DNSMessage.question(.ptr, of: type, id: id) }

    /// Reads a packet; returns what it shows, and the questions for what it leaves out.
    mutating func read(
        _ bytes: [UInt8],
        from source: SocketAddress
    ) -> (sightings: [PeerSighting], questions: [[UInt8]]) {
        guard !isFull else { return ([], []) }
        count += 1
        guard source.port == Int(MulticastSocket.port), line.reaches(source), let host = source.host,
            let message = DNSMessage(reading: bytes), message.isAnswer, message.id == id
        else { return ([], []) }
        var (sightings, questions): ([PeerSighting], [[UInt8]]) = ([], [])
        for service in AnsweredService.services(of: type, in: message) {
            let voice = Voice(source: host, name: service.name)
            var whole = service
            let before = unfinished[voice]
            if let before { whole.add(before) }
            if whole.port != nil, whole.text != nil {
                unfinished[voice] = nil
                if let sighting = sighting(of: whole, from: host) { sightings.append(sighting) }
            } else if before == nil, unfinished.count < Self.maximumUnfinished {
                unfinished[voice] = whole
                let name = type.instance(whole.name)
                // Alone, each of them has room in an answer.
                if whole.text == nil { questions.append(DNSMessage.question(.txt, of: name, id: id)) }
                if whole.port == nil { questions.append(DNSMessage.question(.srv, of: name, id: id)) }
            } else if before != nil {
                unfinished[voice] = whole
            }
        }
        return (sightings, questions)
    }

    private func sighting(of service: AnsweredService, from source: IPAddress) -> PeerSighting? {
        guard let port = service.port, let text = service.text else { return nil }
        // A machine that passes answers on from another network names addresses there.
        let named = service.addresses.filter { $0.isIPv6 == line.isIPv6 }
        let candidates = named.isEmpty || named.contains(source) ? [source] : named
        let addresses = candidates.lazy.compactMap { candidate -> SocketAddress? in
            let zone = candidate.needsZone ? "%\(line.index)" : ""
            return try? SocketAddress.makeAddressResolvingHost("\(candidate)\(zone)", port: Int(port))
        }
        guard let address = addresses.first(where: line.reaches) else { return nil }
        return PeerSighting(
            key: "direct/\(line.index)/\(line.isIPv6 ? 6 : 4)/\(service.name)",
            instanceName: service.name,
            address: address,
            interfaceName: line.interface,
            info: DiscoveryInfo(TXTRecord(received: text))
        )
    }
}
