/// A tile of a map.
package struct MapTile: Hashable, Sendable {
    /// The position.
    package let address: TileAddress
    /// The format, by the first bytes; nil if it is unknown.
    package let format: TileFormat?
    /// The bytes, which are not checked any further.
    package let data: [UInt8]

    /// The maximum length of a tile, in bytes.
    static let maximumLength = 8 << 20

    package init(_ address: TileAddress, data: [UInt8]) {
        self.address = address
        self.format = TileFormat(tileBeginningWith: Array(data.prefix(12)))
        self.data = data
    }
}
