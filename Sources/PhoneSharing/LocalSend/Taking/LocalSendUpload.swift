import Glibc
import LocalSend
import PeerProtocol
import PeerStorage
import RegionSharing
import RegionStore
import Synchronization
import WebServer

/// A file that a phone sends, while it comes: its bytes go to the disk at once.
final class LocalSendUpload: WebContent {
    /// Which file of which session it is.
    struct Place: Sendable {
        var session: String
        var file: String
    }

    private struct State {
        var length: UInt64 = 0
        /// Nil if the phone states no digest.
        var hasher: ContentHasher?
        /// The length of which the person was told, and to which the disk has room.
        var toldLength: UInt64 = 0
        var isOver = false
    }

    /// How much comes between two looks at the disk, and between two notes for the person.
    private static let step: UInt64 = 1 << 20
    /// The page for phones counts its own files from 1.
    private static let firstNumber = 1_000_000

    private let file: TakenFile
    private let place: Place
    private let number: Int
    private let taker: LocalSendTaker
    private let state: Mutex<State>

    init(_ file: TakenFile, at place: Place, _ number: Int, hashes: Bool, for taker: LocalSendTaker) {
        (self.file, self.place, self.taker) = (file, place, taker)
        self.number = Self.firstNumber + number
        state = Mutex(State(hasher: hashes ? ContentHasher() : nil))
    }

    /// Released before the end, the phone was cut off.
    deinit {
        guard state.withLock({ !$0.isOver }) else { return }
        _ = taker.end(place, .interrupted, nil)
        tell(file.sent.size)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        try state.withLock { state in
            let length = state.length.addingReportingOverflow(UInt64(bytes.count)).partialValue
            guard taker.arrived(place, length) else { throw stop(&state, .complete(length, nil)) }
            do {
                if length - state.toldLength >= Self.step {
                    guard try taker.folder().space() >= Self.step else { throw SystemError(number: ENOSPC) }
                    state.toldLength = length
                    tell(length)
                }
                try file.file.file.write(bytes, at: state.length)
            } catch {
                _ = stop(&state, .notKept)
                throw WebRefusal(WebResponse(.failed, LocalSendTaker.notWritten, status: .noSpace))
            }
            state.hasher?.update(Array(bytes))
            state.length = length
        }
    }

    /// All that the phone sends is here.
    func finish() -> WebResponse {
        let status = state.withLock { state -> LocalSendStatus in
            guard !state.isOver else { return .refused }
            state.isOver = true
            return taker.end(place, .complete(state.length, state.hasher?.finalize()), file)
        }
        tell(file.sent.size)
        return WebResponse(status)
    }

    /// Ends it early, and returns the answer as an error.
    private func stop(_ state: inout State, _ end: IncomingLocalSend.FileEnd) -> WebRefusal {
        state.isOver = true
        let status = taker.end(place, end, nil)
        tell(file.sent.size)
        return WebRefusal(WebResponse(status))
    }

    private func tell(_ length: UInt64) {
        taker.person.tell(.phones(.upload(PhoneUpload(number: number, file: file.sent, length: length))))
    }
}
