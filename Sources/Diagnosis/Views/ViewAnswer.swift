package import HostNetwork
package import PeerCore

/// What a machine says it sees of the one that has asked.
package struct ViewAnswer: Hashable, Sendable {
    /// That of the question.
    package var nonce: [UInt8]
    /// Those of the addresses in the question that the machine has.
    package var addresses: [IPAddress]
    /// What it sees.
    package var view: PeerView
}

extension ViewAnswer {
    /// Reads a packet; nil for any other one.
    package init?(parsing bytes: [UInt8], for application: PeerServiceType) {
        guard let packet = ViewPacket(parsing: bytes, for: application), packet.isAnswer,
            let nonce = ViewPacket.bytes(packet.values["n"] ?? "", counts: [ViewQuestion.nonceLength]),
            let addresses = ViewPacket.addresses(packet.values["a"] ?? ""),
            let arrivals = PeerView.Arrivals(rawValue: packet.values["r"] ?? ""),
            let hardware = ViewPacket.bytes(packet.values["h"] ?? "", counts: [0, 6])
        else { return nil }
        self.nonce = nonce
        self.addresses = addresses
        self.view = PeerView(
            arrivals: arrivals,
            back: packet.values["b"].flatMap { PeerView.Back(rawValue: $0) },
            hardwareAddress: hardware
        )
    }

    /// Returns the packet.
    package func bytes(for application: PeerServiceType) -> [UInt8] {
        var values = ["n": ViewPacket.text(nonce), "a": ViewPacket.text(addresses), "r": view.arrivals.rawValue]
        values["b"] = view.back?.rawValue
        if !view.hardwareAddress.isEmpty { values["h"] = ViewPacket.text(view.hardwareAddress) }
        return ViewPacket(isAnswer: true, values: values).bytes(for: application)
    }
}
