/// Decides which receivers of a sender are served and which wait, on each network by itself.
///
/// A pure value; the time is passed in. Receivers on different networks do not wait for each other.
struct TurnStateMachine: Sendable {
    private var networks: [String: NetworkTurns] = [:]
    private var networkOf: [Int: String] = [:]
    /// The bytes per second of networks without receivers.
    private var seenRates: [String: Double] = [:]
    private var lastNumber = 0

    /// A receiver has selected what it wants; returns its number.
    mutating func joined(on network: String, left: UInt64, at now: ContinuousClock.Instant) -> Int {
        lastNumber += 1
        networkOf[lastNumber] = network
        networks[network, default: NetworkTurns(at: now)].joined(lastNumber, left: left, at: now)
        return lastNumber
    }

    /// A receiver has everything, or is gone.
    mutating func left(_ number: Int, at now: ContinuousClock.Instant) {
        guard let network = networkOf.removeValue(forKey: number) else { return }
        networks[network]?.left(number, at: now)
        guard networks[network]?.isEmpty == true, let last = networks.removeValue(forKey: network) else { return }
        seenRates[network] = last.rate ?? seenRates[network]
    }

    /// Time has passed.
    mutating func tick(at now: ContinuousClock.Instant) {
        for network in networks.keys { networks[network]?.tick(at: now) }
    }

    /// The turns on the network of a receiver; nil if the receiver is gone.
    subscript(number: Int) -> NetworkTurns? {
        get { networkOf[number].flatMap { networks[$0] } }
        _modify {
            var none: NetworkTurns?
            if let network = networkOf[number] { yield &networks[network] } else { yield &none }
        }
    }

    /// The place of a receiver that would join and want so many bytes.
    func prospect(on network: String, left: UInt64, systemRate: Double?) -> TransferTurn {
        let rate = networks[network]?.rate ?? seenRates[network] ?? systemRate
        return networks[network]?.prospect(left: left, rate: rate)
            ?? TransferTurn(
                place: 1,
                count: 1,
                timeLeft: NetworkTurns.time(rate.map { Double(left) / max(1, $0) }),
                bytesPerSecond: rate
            )
    }
}
