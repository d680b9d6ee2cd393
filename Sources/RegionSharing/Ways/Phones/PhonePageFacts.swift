public import RegionStore

/// The page for phones.
public struct PhonePageFacts: Hashable, Sendable {
    /// Where it is.
    public var address: PhonePageAddress
    /// Whether there is something on it that concerns a person.
    public var hasPersonal: Bool
    /// What receivers get and the page does not have, because it concerns a person; nil if there is nothing.
    public var leftOut: PersonalContent?
    /// Whether it is in a Wi-Fi network of this machine's own, which is encrypted.
    public var isOwnNetwork: Bool

    /// Creates it.
    public init(address: PhonePageAddress, hasPersonal: Bool, leftOut: PersonalContent?, isOwnNetwork: Bool) {
        (self.address, self.hasPersonal) = (address, hasPersonal)
        (self.leftOut, self.isOwnNetwork) = (leftOut, isOwnNetwork)
    }
}
