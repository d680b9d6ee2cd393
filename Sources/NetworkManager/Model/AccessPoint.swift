/// A Wi-Fi network within reach.
package struct AccessPoint: Hashable, Sendable {
    /// The name of the network, if it is text.
    package var name: String
    /// The strength of its signal in percent.
    package var strength: UInt8

    package init(name: String, strength: UInt8) {
        self.name = name
        self.strength = strength
    }
}
