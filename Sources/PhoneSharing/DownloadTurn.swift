import FoundationEssentials
import PeerCore
import Synchronization
import WebServer

/// The turn of one download.
final class DownloadTurn: WebFile.Pace {
    private struct State {
        var turn: SendingTurn?
        /// The length of the step that is being sent.
        var sending = 0
    }

    /// The longest first step, in bytes.
    private static let firstStep = 16 * 1024
    private let id = UUID()
    private let client: String
    private let all: PhoneTurns
    private let state = Mutex(State())

    init(of client: String, in all: PhoneTurns) {
        self.client = client
        self.all = all
    }

    // A download has its turn from its first step on, so many short downloads must not get a long step each.
    var stepLimit: Int { state.withLock { $0.turn }?.lengthLimit ?? Self.firstStep }

    func wait(_ bytes: Int, left: UInt64) async {
        let turn = state.withLock { state in
            let turn = state.turn ?? all.join(id, client, left: left)
            turn.sent(state.sending, left: left)
            state.turn = turn
            state.sending = bytes
            return turn
        }
        // One that has left meanwhile learns it by the next write.
        _ = await turn.wait(bytes)
    }

    func leave() { all.leave(id) }

    /// The place of the download, and the time that the rest takes; nil before its first step and after its end.
    var place: TransferTurn? { state.withLock { $0.turn }?.place }
}
