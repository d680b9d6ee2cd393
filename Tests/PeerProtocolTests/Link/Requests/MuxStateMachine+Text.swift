import NIOCore
import PeerProtocol

extension MuxStateMachine {
    /// Asks with a text in place of JSON.
    mutating func ask(_ name: LinkName, version: UInt16 = 1, _ text: String) -> OnAsk {
        ByteBuffer(string: text).withUnsafeReadableBytes { ask(name, version: version, $0) }
    }

    /// Answers with a text in place of JSON.
    mutating func answer(_ number: UInt64, _ text: String) -> OnAnswer {
        ByteBuffer(string: text).withUnsafeReadableBytes { answer(number, $0) }
    }
}
