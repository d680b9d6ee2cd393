package import HostNetwork
package import PeerCore

/// The question of a machine that cannot connect: what the machine with one of these addresses sees of it.
package struct ViewQuestion: Hashable, Sendable {
    /// The maximum number of addresses.
    package static let maximumAddresses = 6
    /// The number of bytes of a nonce.
    static let nonceLength = 8

    /// Tells the answers to this question from others; random.
    package var nonce: [UInt8]
    /// The addresses that do not answer, at most six.
    package var addresses: [IPAddress]
    /// The TCP port that does not answer.
    package var port: UInt16

    package init(nonce: [UInt8] = Self.randomNonce(), addresses: [IPAddress], port: UInt16) {
        self.nonce = nonce
        self.addresses = Array(addresses.prefix(Self.maximumAddresses))
        self.port = port
    }

    /// Reads a packet; nil for any other one.
    package init?(parsing bytes: [UInt8], for application: PeerServiceType) {
        guard let packet = ViewPacket(parsing: bytes, for: application), !packet.isAnswer,
            let nonce = ViewPacket.bytes(packet.values["n"] ?? "", counts: [Self.nonceLength]),
            let addresses = ViewPacket.addresses(packet.values["a"] ?? ""),
            let port = UInt16(packet.values["p"] ?? ""), port > 0
        else { return nil }
        self.init(nonce: nonce, addresses: addresses, port: port)
    }

    /// Returns the packet.
    package func bytes(for application: PeerServiceType) -> [UInt8] {
        let values = ["n": ViewPacket.text(nonce), "a": ViewPacket.text(addresses), "p": "\(port)"]
        return ViewPacket(isAnswer: false, values: values).bytes(for: application)
    }

    /// Returns a new nonce.
    package static func randomNonce() -> [UInt8] { (0..<nonceLength).map { _ in UInt8.random(in: 0...255) } }
}
