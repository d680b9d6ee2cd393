import NIOConcurrencyHelpers

/// Which connections of a sender may stay.
///
/// When there are too many, the oldest one that has no transfer makes room for the next. So peers that connect and say
/// nothing keep nobody out. Those that ask for a transfer hold a place until they are answered.
final class Admission: Sendable {
    private struct State {
        /// The connections without a transfer, by session.
        var waiting: [Int: FrameConnection] = [:]
        var transfers: Set<Int> = []
    }

    private let maximumConnections: Int
    private let maximumTransfers: Int
    private let state = NIOLockedValueBox(State())

    init(_ configuration: SessionConfiguration) {
        self.maximumConnections = configuration.maximumConnections
        self.maximumTransfers = configuration.maximumTransfers
    }

    /// Lets a connection in, and closes another one for it if it must; false if there is no room.
    func admit(_ connection: FrameConnection, session: Int) -> Bool {
        let (isAdmitted, oldest) = state.withLockedValue { state -> (Bool, FrameConnection?) in
            var oldest: FrameConnection?
            if state.waiting.count + state.transfers.count >= maximumConnections {
                guard let first = state.waiting.keys.min() else { return (false, nil) }
                oldest = state.waiting.removeValue(forKey: first)
            }
            state.waiting[session] = connection
            return (true, oldest)
        }
        oldest?.close()
        return isAdmitted
    }

    /// Begins a transfer; false if there are as many as may be.
    func beginTransfer(_ session: Int) -> Bool {
        state.withLockedValue { state in
            guard state.transfers.count < maximumTransfers else { return false }
            state.waiting[session] = nil
            state.transfers.insert(session)
            return true
        }
    }

    /// Forgets a session that has ended.
    func end(_ session: Int) {
        state.withLockedValue { state in
            state.waiting[session] = nil
            state.transfers.remove(session)
        }
    }
}
