/// Which receivers of a sender are served, and which wait; each network by itself.
///
/// A pure value; the time is passed in. Receivers on different networks do not wait for each other.
struct TurnStateMachine: Sendable {
    private var networks: [String: NetworkTurns] = [:]
    private var networkOf: [Int: String] = [:]
    /// The bytes per second of networks on which nobody is any more.
    private var seenRates: [String: Double] = [:]
    private var lastNumber = 0

    /// A receiver has selected what it wants.
    ///
    /// - Parameters:
    ///   - network: The name of the interface that its connection uses.
    ///   - left: The number of bytes that it wants.
    ///   - now: The time.
    /// - Returns: Its number.
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
        guard networks[network]?.isEmpty == true, let last = networks.removeValue(forKey: network), let rate = last.rate
        else {
            return
        }
        seenRates[network] = rate
    }

    /// Some bytes for a receiver can be sent now, or none can.
    mutating func set(_ number: Int, isReady: Bool, at now: ContinuousClock.Instant) {
        guard let network = networkOf[number] else { return }
        networks[network]?.set(number, isReady: isReady, at: now)
    }

    /// Bytes were sent to a receiver; `left` are still to be sent.
    mutating func sent(_ bytes: Int, to number: Int, left: UInt64) {
        guard let network = networkOf[number] else { return }
        networks[network]?.sent(bytes, to: number, left: left)
    }

    /// Bytes have arrived at a receiver.
    mutating func arrived(_ bytes: UInt64, at number: Int) {
        guard let network = networkOf[number] else { return }
        networks[network]?.arrived(bytes)
    }

    /// Time has passed.
    mutating func tick(at now: ContinuousClock.Instant) {
        for network in networks.keys { networks[network]?.tick(at: now) }
    }

    /// Whether a receiver is there.
    func contains(_ number: Int) -> Bool { networkOf[number] != nil }

    /// Whether a receiver is served.
    func isServed(_ number: Int) -> Bool { turns(of: number)?.served.contains(number) ?? false }

    /// The longest piece that a receiver may be sent now, in bytes.
    func pieceLimit(of number: Int) -> Int { turns(of: number)?.pieceLimit(of: number) ?? .max }

    /// Whether a receiver may be sent something now.
    func mayTake(_ number: Int) -> Bool { turns(of: number)?.mayTake(number) ?? false }

    /// Takes the permission to send a piece; false if the receiver has to wait.
    mutating func take(_ bytes: Int, for number: Int) -> Bool {
        guard let network = networkOf[number] else { return false }
        return networks[network]?.take(bytes, for: number) ?? false
    }

    /// The place that a receiver would have that wants so many bytes.
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

    /// The place of a receiver on its network; nil if it is not there.
    func turn(of number: Int) -> TransferTurn? { turns(of: number)?.turn(of: number) }

    private func turns(of number: Int) -> NetworkTurns? { networkOf[number].flatMap { networks[$0] } }
}
