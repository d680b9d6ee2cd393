/// The resources whose lists of chunk digests the receiver asks for before it answers the offer.
package struct DigestQuery: Hashable, Sendable, Codable {
    /// The kinds of the resources; each is in the manifest, none is there twice.
    package var kinds: [ResourceKind]

    package init(kinds: [ResourceKind]) { self.kinds = kinds }

    func isWithin(_ limits: ProtocolLimits) -> Bool { kinds.count <= limits.maximumListLength }
}

/// Which of the offered resources the receiver wants.
package struct ResourceSelection: Hashable, Sendable, Codable {
    /// The kinds that it wants; each is in the manifest.
    package var kinds: [ResourceKind]
    /// The kinds in the manifest that it does not know.
    package var unknown: [ResourceKind]

    package init(kinds: [ResourceKind], unknown: [ResourceKind] = []) {
        self.kinds = kinds
        self.unknown = unknown
    }

    func isWithin(_ limits: ProtocolLimits) -> Bool {
        kinds.count <= limits.maximumListLength && unknown.count <= limits.maximumListLength
    }
}
