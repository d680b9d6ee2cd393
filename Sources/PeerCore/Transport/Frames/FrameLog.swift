import Logging
import NIOConcurrencyHelpers

/// Logs the type, direction and length of the frames of a connection, but not their content.
final class FrameLog: Sendable {
    /// The direction of a frame.
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
        /// The conversation has not started; these frames are logged when its logger is known.
        case waiting([Note])
        case logging(Logger)
        case off
    }

    /// The number of frames that are kept before the conversation has started; further ones are not logged.
    private static let maximumWaiting = 16

    private let state = NIOLockedValueBox(State.waiting([]))

    /// Logs all frames, including those so far, if the level of the logger is trace.
    func begin(_ logger: Logger) {
        let wantsFrames = logger.logLevel <= .trace
        let waiting = state.withLockedValue { state -> [Note] in
            guard case .waiting(let notes) = state else { return [] }
            state = wantsFrames ? .logging(logger) : .off
            return wantsFrames ? notes : []
        }
        for note in waiting { Self.log(note, logger) }
    }

    /// Notes a frame; its length, in bytes, includes the header.
    func note(_ direction: Direction, _ type: FrameType, _ length: Int) {
        let note = Note(direction: direction, type: type, length: length)
        let logger = state.withLockedValue { state -> Logger? in
            switch state {
            case .logging(let logger): return logger
            case .waiting(let notes) where notes.count < Self.maximumWaiting:
                state = .waiting(notes + [note])
                return nil
            case .waiting, .off: return nil
            }
        }
        if let logger { Self.log(note, logger) }
    }

    /// Notes a received frame.
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
