import NIOCore
import PeerCore

/// Reads what arrives on a connection, as the frame handler of a real connection does.
///
/// A plain value.
struct FrameReader {
    /// What has been read.
    enum Output {
        /// An event for the session, and the number of bytes that it takes.
        case event(PeerConnectionEvent, length: Int)
        /// The peer asks for a sign of life.
        case ping(Ping)
        /// The peer answers a ping.
        case pong(Ping)
    }

    /// Whether pings and pongs are handled below the session.
    private enum PingUse {
        /// Not before the peer's hello.
        case notYet
        case allowed
        /// The connection is a lane.
        case never
    }

    private var decoder: FrameDecoder
    private var unread = ByteBuffer()
    private var pingUse = PingUse.notYet
    /// Whether no further frame is read, because of an error.
    private var isFinished = false

    init(preface: Preface, limits: ProtocolLimits) {
        decoder = FrameDecoder(preface: preface, limits: limits)
        decoder.takesLongFrames = false
    }

    mutating func awaitLongFrames() {
        decoder.takesLongFrames = true
    }

    /// Notes that this side has made the connection a lane.
    mutating func noteJoin() {
        pingUse = .never
    }

    /// Notes that no further frame is read.
    mutating func finish() {
        isFinished = true
    }

    /// Reads what is complete.
    ///
    /// - Parameters:
    ///   - bytes: What has arrived.
    ///   - note: Called with the type of each frame.
    /// - Returns: What has been read, in order.
    mutating func read(_ bytes: ByteBuffer, note: (FrameType) -> Void) -> [Output] {
        guard !isFinished else { return [] }
        unread.writeImmutableBuffer(bytes)
        defer { unread.discardReadBytes() }
        var outputs: [Output] = []
        do throws(ProtocolError) {
            while !isFinished, let output = try decoder.next(from: &unread) {
                switch output {
                case .preface:
                    break
                case .frame(let frame):
                    note(frame.type)
                    outputs.append(pass(frame))
                case .dataHeader, .data:
                    note(.data)
                    throw ProtocolError(.unexpectedFrame, "The other side sent a data frame outside of a transfer.")
                }
            }
        } catch {
            isFinished = true
            outputs.append(.event(.invalid(error), length: 0))
        }
        return outputs
    }

    private mutating func pass(_ frame: Frame) -> Output {
        switch frame {
        case .ping(let ping) where pingUse == .allowed: return .ping(ping)
        case .pong(let pong) where pingUse == .allowed: return .pong(pong)
        case .hello where pingUse == .notYet: pingUse = .allowed
        default: break
        }
        return .event(.frame(frame), length: decoder.frameLength)
    }
}
