import PeerProtocol

/// The place of a receiver among those that a sender serves over the same network.
public struct TransferTurn: Hashable, Sendable {
    /// The place, from 1: 1 is the receiver that is served now.
    public var place: Int
    /// The number of receivers that have a place.
    public var count: Int
    /// The time until the receiver has everything; nil while it is unknown.
    public var timeLeft: Duration?
    /// The bytes per second that the sender's network carries, as it was lately, or as the sender's system says; nil while it is
    /// unknown.
    public var bytesPerSecond: Double?

    /// Creates a place.
    public init(place: Int, count: Int, timeLeft: Duration? = nil, bytesPerSecond: Double? = nil) {
        self.place = place
        self.count = count
        self.timeLeft = timeLeft
        self.bytesPerSecond = bytesPerSecond
    }

    /// Reads what a sender says.
    init(_ notice: TurnNotice) {
        self.init(
            place: notice.place,
            count: notice.count,
            timeLeft: notice.seconds.map { .seconds($0) },
            bytesPerSecond: notice.rate.map(Double.init)
        )
    }

    /// What a receiver is told.
    var notice: TurnNotice {
        let count = min(max(1, count), TurnNotice.maximumCount)
        return TurnNotice(
            place: min(max(1, place), count),
            count: count,
            seconds: timeLeft.map {
                Int(clamping: min(max(0, $0.components.seconds), Int64(TurnNotice.maximumSeconds)))
            },
            rate: bytesPerSecond.map { Int(min(max(1, $0), Double(TurnNotice.maximumRate))) }
        )
    }

    /// Whether a person would learn something new from this place after another one.
    ///
    /// Times are rough, so a small difference is none.
    package func isNews(after last: TransferTurn?) -> Bool {
        guard let last, last.place == place, last.count == count else { return true }
        guard let timeLeft, let before = last.timeLeft else { return timeLeft != last.timeLeft }
        return timeLeft > before * 1.25 + .seconds(2) || timeLeft < before * 0.8 - .seconds(2)
    }
}
