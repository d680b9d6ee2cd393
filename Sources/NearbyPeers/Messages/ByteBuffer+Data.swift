import FoundationEssentials
import NIOCore

extension ByteBuffer {
    /// A copy of the readable bytes.
    ///
    /// `Data.init(_:)` of a view first asks the runtime what the view conforms to, for each message.
    var data: Data {
        withUnsafeReadableBytes { bytes in bytes.baseAddress.map { Data(bytes: $0, count: bytes.count) } ?? Data() }
    }

    /// The readable bytes without a copy if they fill most of their memory and nothing else has it, or else a copy.
    ///
    /// The application may change its data in place, so nothing else may read them.
    mutating func takeData() -> Data {
        guard readableBytes > storageCapacity / 2, modifyIfUniquelyOwned({ _ in () }) != nil else { return data }
        return withUnsafeReadableBytesWithStorageManagement { bytes, storage in
            guard let start = bytes.baseAddress else { return Data() }
            let owner = storage.retain()
            return Data(
                bytesNoCopy: UnsafeMutableRawPointer(mutating: start),
                count: bytes.count,
                deallocator: .custom { _, _ in owner.release() }
            )
        }
    }
}
