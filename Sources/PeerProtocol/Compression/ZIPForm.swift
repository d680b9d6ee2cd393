import CZlib

/// The form of ZIP files: PKWARE's APPNOTE.TXT 6.3, without its extension for files over 4 GB.
package enum ZIPForm {
    /// The mark before the content of an entry.
    package static let entry: UInt32 = 0x0403_4b50
    /// The mark of an entry in the list of the entries.
    package static let listed: UInt32 = 0x0201_4b50
    /// The mark of the end of a file.
    package static let end: UInt32 = 0x0605_4b50

    /// The length of what comes before the name of an entry and its content, in bytes.
    package static let entryLength = 30
    /// The length of what comes before the name of an entry in the list, in bytes.
    package static let listedLength = 46
    /// The length of the end without its comment, in bytes.
    package static let endLength = 22

    /// Returns the checksum (CRC-32) of bytes that follow others.
    package static func checksum(_ bytes: [UInt8], after former: UInt32 = 0) -> UInt32 {
        bytes.withUnsafeBufferPointer { buffer in
            UInt32(truncatingIfNeeded: crc32_z(UInt(former), buffer.baseAddress, buffer.count))
        }
    }
}
