import Logging
import NIOConcurrencyHelpers

/// Logs the frames of a connection: type, direction and length, and nothing of what is in them.
final class FrameLog: Sendable {
    /// Which way a frame goes.
    enum Direction: String, Sendable {
        case sent
        case received
    }

    private struct Note {
        var direction: Direction
        var type: FrameType
        var length: Int
    }

    private enum State {
        /// The session has not begun; these wait for its logger.
        case waiting([Note])
        case logging(Logger)
        case off
    }

    /// A peer may send before the session has begun; what is more than that is left out.
    private static let maximumWaiting = 16

    private let state = NIOLockedValueBox(State.waiting([]))

    /// Logs what has come and gone so far, and everything from now on, if the logger wants frames.
    func begin(_ logger: Logger) {
        let wantsFrames = logger.logLevel <= .trace
        let waiting = state.withLockedValue { state -> [Note] in
            guard case .waiting(let notes) = state else { return [] }
            state = wantsFrames ? .logging(logger) : .off
            return wantsFrames ? notes : []
        }
        for note in waiting { Self.log(note, logger) }
    }

    /// Notes a frame of a type; `length` includes its header, in bytes.
    func note(_ direction: Direction, _ type: FrameType, _ length: Int) {
        let note = Note(direction: direction, type: type, length: length)
        let logger = state.withLockedValue { state -> Logger? in
            switch state {
            case .logging(let logger):
                return logger
            case .waiting(let notes) where notes.count < Self.maximumWaiting:
                state = .waiting(notes + [note])
                return nil
            case .waiting, .off:
                return nil
            }
        }
        if let logger { Self.log(note, logger) }
    }

    /// Notes a frame that was read.
    func note(received output: FrameDecoder.Output, _ length: Int) {
        switch output {
        case .frame(let frame): note(.received, frame.type, length)
        case .dataHeader: note(.received, .data, length)
        case .preface, .data: break
        }
    }

    private static func log(_ note: Note, _ logger: Logger) {
        logger.trace(
            "frame \(note.direction.rawValue)",
            metadata: ["type": "\(note.type)", "length": "\(note.length)"]
        )
    }
}
