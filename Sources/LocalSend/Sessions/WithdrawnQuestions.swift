/// The questions of each address that the person could not answer, so that a device that asks and goes is not heard without end.
struct WithdrawnQuestions: Sendable {
    /// How many of them an address may have in ``memory``: a person who changes their mind has one or two.
    static let maximumCount = 3
    /// How long they count, and how long an address is not heard after the last one.
    static let memory: Duration = .seconds(60)
    /// The maximum number of addresses that are counted; of more, the oldest gives way.
    static let maximumAddresses = 1000

    /// The times of the last questions, the oldest first.
    private var times: [String: [ContinuousClock.Instant]] = [:]

    /// Returns whether an address may ask.
    func areFew(of address: String, at now: ContinuousClock.Instant) -> Bool {
        guard let known = times[address], known.count >= Self.maximumCount, let last = known.last else { return true }
        return now - last >= Self.memory
    }

    /// Notes one of an address.
    mutating func add(_ address: String, at now: ContinuousClock.Instant) {
        if times[address] == nil, times.count >= Self.maximumAddresses {
            let oldest = times.min { ($0.value.last ?? now) < ($1.value.last ?? now) }
            if let oldest { times[oldest.key] = nil }
        }
        let recent = times[address, default: []].filter { now - $0 < Self.memory } + [now]
        times[address] = Array(recent.suffix(Self.maximumCount))
    }
}
