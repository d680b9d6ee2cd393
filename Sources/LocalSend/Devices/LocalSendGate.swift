/// How much of what strangers say is read and answered.
///
/// Reading ten thousand announcements a second would take a core, and each answer is a connection to an address that is only
/// claimed. The counts start again every second, so the tables are as long as the limits. Addresses that did not answer are kept
/// for longer, because each attempt to reach one delays the others.
struct LocalSendGate: Sendable {
    private var start: ContinuousClock.Instant?
    private var datagrams: [String: Int] = [:]
    private var datagramCount = 0
    private var answerCount = 0
    private var answers: [String: ContinuousClock.Instant] = [:]
    private var registrations: [String: Int] = [:]
    private var registrationCount = 0
    private var silent: [String: ContinuousClock.Instant] = [:]

    /// Returns whether a datagram from an address is read.
    mutating func admitsDatagram(from address: String, at now: ContinuousClock.Instant) -> Bool {
        turn(now)
        let count = datagrams[address] ?? 0
        guard datagramCount < LocalSendLimits.datagramsPerSecond,
            count < LocalSendLimits.datagramsOfAddressPerSecond
        else { return false }
        datagramCount += 1
        datagrams[address] = count + 1
        return true
    }

    /// Returns whether a device at an address is asked or answered.
    mutating func admitsAnswer(to address: String, at now: ContinuousClock.Instant) -> Bool {
        turn(now)
        if let last = answers[address], now - last < LocalSendLimits.answerInterval { return false }
        guard answerCount < LocalSendLimits.answersPerSecond else { return false }
        answerCount += 1
        answers[address] = now
        return true
    }

    /// Returns whether what a device at an address says of itself is read when it registers.
    mutating func admitsRegistration(from address: String, at now: ContinuousClock.Instant) -> Bool {
        turn(now)
        let count = registrations[address] ?? 0
        guard registrationCount < LocalSendLimits.registrationsPerSecond,
            count < LocalSendLimits.registrationsOfAddressPerSecond
        else { return false }
        registrationCount += 1
        registrations[address] = count + 1
        return true
    }

    /// An address was asked, and was silent for too long.
    mutating func wasSilent(_ address: String, at now: ContinuousClock.Instant) {
        silent = silent.filter { now - $0.value < LocalSendLimits.silentTime }
        guard silent.count < LocalSendLimits.silentAddressCount else { return }
        silent[address] = now
    }

    /// Returns whether an address was silent not long ago.
    func isSilent(_ address: String, at now: ContinuousClock.Instant) -> Bool {
        silent[address].map { now - $0 < LocalSendLimits.silentTime } ?? false
    }

    private mutating func turn(_ now: ContinuousClock.Instant) {
        if let start, now - start < .seconds(1) { return }
        start = now
        (datagrams, datagramCount, answerCount) = ([:], 0, 0)
        (registrations, registrationCount) = ([:], 0)
        answers = answers.filter { now - $0.value < LocalSendLimits.answerInterval }
    }
}
