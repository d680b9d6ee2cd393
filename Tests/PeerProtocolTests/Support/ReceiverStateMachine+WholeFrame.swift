import PeerProtocol

extension ReceiverStateMachine {
    /// A data frame came to its last byte.
    ///
    /// - Returns: What to do about its bytes; nil if it may not come.
    mutating func receivedWhole(
        _ header: DataHeader,
        on connection: Int = ConnectionNumber.main
    ) -> OnReceivedBytes? {
        switch receivedData(header, on: connection) {
        case .keep, .assemble: receivedBytes(header.length, on: connection)
        case .end, .none: nil
        }
    }
}
