package import HostNetwork

/// A peer that is announced, or an address that a person gave, and the ways to it.
package struct PeerFacts: Hashable, Sendable {
    /// How this machine knows of a peer.
    package enum Source: Hashable, Sendable {
        /// It is announced at the moment.
        case announced
        /// Its share link names it, so that it can prove who it is.
        case linked
        /// A person gave its address, or a program tried to reach it.
        case named
    }

    /// The name that the peer claims; escape it before you show it.
    package var name: String
    /// How this machine knows of it.
    package var source: Source = .announced
    /// The ways to its addresses, the best first; without those that are addresses of this machine.
    package var ways: [WayFacts]
    /// Those of its addresses that are also addresses of this machine, each with the interface here.
    package var shared: [SharedAddress] = []
    /// What it says of the packets of this machine; nil if it has said nothing.
    package var view: PeerView?

    /// An address that two machines have.
    package struct SharedAddress: Hashable, Sendable {
        package var address: IPAddress
        /// The length of the prefix of its network.
        package var prefixLength: Int
        /// The interface of this machine that has it.
        package var interface: String
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
