import NIOCore
import PeerProtocol

/// What a machine says about bytes, without the chunks that they complete.
enum ReceivedBytes: Equatable {
    case keep(Int)
    case keepAndStore(Int)
    case combine(Int)
    case none
}

extension ReceiverStateMachine {
    /// So many bytes of the last data frame came.
    mutating func receivedBytes(
        _ count: Int,
        on connection: Int = ResourceAssembly.mainConnection
    ) -> ReceivedBytes {
        switch receivedBytes([ByteBuffer(repeating: 0, count: count)], on: connection) {
        case .keep(let resource, _, isWhole: false): .keep(resource)
        case .keep(let resource, _, isWhole: true): .keepAndStore(resource)
        case .combine(let resource, _): .combine(resource)
        default: .none
        }
    }

    /// A data frame came to its last byte.
    ///
    /// - Returns: What to do about its bytes; nil if it may not come.
    mutating func receivedWhole(
        _ header: DataHeader,
        on connection: Int = ResourceAssembly.mainConnection
    ) -> ReceivedBytes? {
        guard end == nil, receivedData(header, on: connection) == .none else { return nil }
        return receivedBytes(header.length, on: connection)
    }
}
