import RegionStore

/// How much of a file that a phone sends has arrived.
public struct PhoneUpload: Hashable, Sendable {
    /// The number of the file, from 1.
    public var number: Int
    /// The file.
    public var file: PhoneFile
    /// The number of bytes that have arrived.
    public var length: UInt64

    /// The fraction of the file that has arrived, from 0 to 1.
    public var fraction: Double { file.size == 0 ? 1 : min(1, Double(length) / Double(file.size)) }

    /// Creates it.
    public init(number: Int, file: PhoneFile, length: UInt64) {
        (self.number, self.file, self.length) = (number, file, length)
    }
}
