package import HostNetwork
package import PeerCore

/// How long a transfer takes, before its first byte.
///
/// A plain value. The slower of the two networks decides. If nothing is known of either, it says nothing.
public struct TransferTime: Hashable, Sendable {
    /// The number of bytes that are to be transferred.
    public var bytes: UInt64
    /// The number of bytes of the whole offer, for which the sender has said its time.
    package var offered: UInt64
    /// The network of this machine; nil if nothing is known of it.
    package var here: NetworkRate?
    /// What the sender has said; nil if it has said nothing.
    package var there: TransferTurn?
    package var hasCableSocket = false

    /// The useful bytes per second of a cable of a gigabit.
    private static let cableRate = NetworkRate(ofCable: 1000)?.bytesPerSecond ?? 0
    /// The time from which a cable is worth mentioning, and the factor by which it must be faster.
    private static let worthwhile: Duration = .seconds(60)
    private static let gain = 3.0

    /// The time until everything is there; nil if it is not known.
    public var total: Duration? {
        let rate = [here?.bytesPerSecond, there?.bytesPerSecond].compactMap(\.self).filter { $0 > 0 }.min()
        guard bytes > 0, let rate else { return nil }
        let seconds = Double(bytes) / rate
        return seconds < 604_800 ? wait + .seconds(seconds) : nil
    }

    /// The time until it is this machine's turn.
    private var wait: Duration {
        guard let there, there.place > 1, let timeLeft = there.timeLeft, let rate = there.bytesPerSecond, rate > 0
        else {
            return .zero
        }
        return max(.zero, timeLeft - .seconds(min(604_800, Double(offered) / rate)))
    }

    /// The number of other receivers that come first.
    public var othersBefore: Int { max(0, (there?.place ?? 1) - 1) }

    /// The time that it takes over a cable; nil if that is not worth mentioning, or not possible.
    public var overCable: Duration? {
        let cable = Duration.seconds(Double(bytes) / max(1, Self.cableRate))
        guard let total, here?.isRadio == true, hasCableSocket, total >= Self.worthwhile, total > cable * Self.gain
        else { return nil }
        return cable
    }
}
