package import HostNetwork

/// A peer that is announced, or an address that a person gave, and the ways to it.
package struct PeerFacts: Hashable, Sendable {
    /// The name that the peer claims; escape it before you show it.
    package var name: String
    /// The addresses.
    package var ways: [WayFacts]

    package init(name: String, ways: [WayFacts]) {
        self.name = name
        self.ways = ways
    }

    /// The maximum number of characters of a name that is shown.
    private static let maximumNameLength = 40
    /// Ornaments and primes, which look like quotation marks.
    private static let lookalikes = "❛❜❝❞❟❠″‴‶〃ˮʺ״˝\u{1F676}\u{1F677}\u{1F678}".unicodeScalars

    /// Returns a name that a peer claims, in quotation marks; the name itself cannot contain a quotation mark.
    package static func quoted(_ name: String) -> String {
        var unquoted = String.UnicodeScalarView()
        for scalar in name.split(whereSeparator: \.isWhitespace).joined(separator: " ").unicodeScalars {
            unquoted.append(scalar.properties.isQuotationMark || lookalikes.contains(scalar) ? "'" : scalar)
        }
        let whole = String(unquoted)
        let start = whole.prefix(maximumNameLength)
        return "“\(start)\(start.endIndex < whole.endIndex ? "…" : "")”"
    }
}

/// The way to one address of another machine.
package struct WayFacts: Hashable, Sendable {
    /// The outcome of a connection.
    package enum Connection: Hashable, Sendable {
        /// The other machine accepted it after this time, and a peer set up encryption there.
        case accepted(Duration)
        /// The other machine accepted it, and then nothing more came in time.
        case speechless
        /// The other machine accepted it, and another program answered.
        case otherProgram
        /// The other machine refused it.
        case refused
        /// There was no answer in time.
        case silent
        /// The system or a router reported that there is no route.
        case unreachable
        /// This machine does not permit it.
        case forbidden
        /// A packet was rejected with the message that an administrator forbids it, by this machine or by another one.
        case rejected
    }

    package var address: IPAddress
    package var port: Int
    /// The address as text, with the zone that it needs.
    package var text: String
    /// The interface over which the kernel sends; nil if it has no route.
    package var interface: String?
    /// The address of this machine that the connection has.
    package var source: IPAddress?
    /// The interface on whose network the address is; nil if it is on none.
    package var network: String?
    package var connection: Connection
    /// What the kernel knows of the other machine in the same network.
    package var neighbour: Neighbour.State
    /// Whether a multicast packet of the other machine has just come in.
    package var isHeard: Bool

    package init(
        address: IPAddress,
        port: Int,
        text: String,
        interface: String?,
        source: IPAddress? = nil,
        network: String?,
        connection: Connection,
        neighbour: Neighbour.State = .unknown,
        isHeard: Bool = false
    ) {
        self.address = address
        self.port = port
        self.text = text
        self.interface = interface
        self.source = source
        self.network = network
        self.connection = connection
        self.neighbour = neighbour
        self.isHeard = isHeard
    }
}
