/// A table of points, in bytes.
package enum GoldenTable {
    /// The bytes of the page "Item formats": three points in two segments, of which the first and the last have an elevation.
    package static let bytes: [UInt8] = [0x03, 0x02, 0x02, 0x01, 0x03, 0x07, 0x05, 0xC0, 0x8D, 0xB7, 0x01, 0xE8, 0x07]
}
