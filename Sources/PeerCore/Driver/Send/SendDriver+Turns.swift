import NIOCore

extension SendDriver {
    /// The turn of the receiver among the others of the sender.
    struct OwnTurn: Sendable {
        /// Its place; nil before the selection, and when everything is sent.
        private(set) var turn: SendingTurn?
        /// How many bytes have arrived, as the other receivers' turns know.
        private var arrived: UInt64 = 0
        /// What the receiver was told last.
        private var told: (turn: TransferTurn, time: ContinuousClock.Instant)?
        /// The least time between two notices of the same place.
        private static let interval: Duration = .seconds(1)

        /// Whether the receiver waits while others are served.
        var isWaiting: Bool { turn?.isServed == false }

        /// The receiver has selected what it wants, of the first offer or of a further one.
        mutating func joined(_ turn: SendingTurn) {
            leave()
            self.turn = turn
            told = nil
        }

        /// So many bytes have arrived in all.
        mutating func arrived(_ total: UInt64) {
            guard total > arrived else { return }
            turn?.arrived(total - arrived)
            arrived = total
        }

        /// The receiver needs no turn any more.
        mutating func leave() {
            turn?.leave()
            turn = nil
        }

        /// The place, if the receiver is to be told of it now; nil if it knows, or if it is alone.
        mutating func news(at now: ContinuousClock.Instant) -> TransferTurn? {
            guard let place = turn?.place, place.count > 1 || told != nil, place.isNews(after: told?.turn) else {
                return nil
            }
            if let told, told.turn.place == place.place, now - told.time < Self.interval { return nil }
            told = (place, now)
            return place
        }
    }
}

/// Serves the receiver in turn with others, and tells it.
extension SendDriver {
    private var network: String { lifecycle.connection.channel.localAddress?.interfaceName ?? "" }

    /// The place that the receiver would have if it joined now and wanted everything; nil if that says nothing.
    var prospect: TransferTurn? {
        guard let turns = context.turns else { return nil }
        let prospect = turns.prospect(on: network, left: manifest.totalSize)
        return prospect.count > 1 || prospect.bytesPerSecond != nil ? prospect : nil
    }

    func joinTurns() {
        guard let turns = context.turns else { return }
        turn.joined(turns.join(on: network, left: progress.meter.bytesLeft))
    }

    func tellTurn(at now: ContinuousClock.Instant) {
        guard machine.end == nil else { return }
        context.turns?.tick()
        guard let place = turn.news(at: now) else { return }
        lifecycle.send(.turn(place.notice))
        context.report(peer, .transfer(.queued(place)))
    }
}
