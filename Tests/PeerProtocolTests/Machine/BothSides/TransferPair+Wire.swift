import NIOCore
import PeerProtocol

extension TransferPair {
    /// One side's codec and handshake, and the bytes that wait.
    struct Wire {
        private(set) var sentFrames: [FrameType] = []
        private(set) var outgoing = ByteBuffer()
        /// All bytes that came from the other side.
        private(set) var received = ByteBuffer()
        private var incoming = ByteBuffer()
        private var decoder = FrameDecoder(preface: .hikeshare)
        private let encoder = FrameEncoder(preface: .hikeshare)
        private var handshake: HandshakeStateMachine

        init(hello: Hello) {
            self.handshake = HandshakeStateMachine(hello: hello)
        }

        var isConnected: Bool { handshake.isConnected }

        mutating func start() throws {
            guard case .sendHello(let hello) = handshake.start() else { return }
            encoder.writePreface(into: &outgoing)
            try send(.hello(hello))
        }

        mutating func send(_ frame: Frame) throws {
            sentFrames.append(frame.type)
            try encoder.write(frame, into: &outgoing)
        }

        mutating func sendData(_ header: DataHeader, _ bytes: some Sequence<UInt8>) {
            sentFrames.append(.data)
            encoder.writeDataHeader(header, into: &outgoing)
            outgoing.writeBytes(bytes)
        }

        /// Takes bytes from the other side; false if it has none.
        mutating func move(from other: inout Wire, atMost count: Int) -> Bool {
            guard var piece = other.outgoing.readSlice(length: min(count, other.outgoing.readableBytes)) else {
                return false
            }
            other.outgoing.discardReadBytes()
            received.writeImmutableBuffer(piece)
            return incoming.writeBuffer(&piece) > 0
        }

        /// Returns the next thing that is for the transfer; handles the handshake itself.
        mutating func next() throws -> FrameDecoder.Output? {
            while let output = try decoder.next(from: &incoming) {
                guard !handshake.isConnected else { return output }
                switch output {
                case .preface: break
                case .frame(.hello(let hello)): try performHello(hello)
                case .frame(.cancel), .frame(.failure): return output
                case .frame(let frame): throw handshake.receivedOther(frame.type)
                case .dataHeader, .data: throw handshake.receivedOther(.data)
                }
            }
            return nil
        }

        private mutating func performHello(_ hello: Hello) throws {
            switch handshake.receivedHello(hello, certificate: hello.peerID) {
            case .connect: break
            case .fail(let error): throw error
            }
        }
    }
}
