/// What this machine can do for phones that have LocalSend.
package struct LocalSendFacts: Hashable, Sendable {
    /// The fate of a packet to the group of LocalSend on each interface.
    package var echoes: [MulticastFacts.Echo]
    /// Whether a program has the port of LocalSend.
    package var isPortTaken: Bool

    package init(echoes: [MulticastFacts.Echo] = [], isPortTaken: Bool = false) {
        (self.echoes, self.isPortTaken) = (echoes, isPortTaken)
    }
}

extension Judgement {
    /// Judges whether phones with LocalSend are found, and find this machine.
    ///
    /// Other machines do not need it, so it is never more than a note.
    package static func phones(_ facts: LocalSendFacts) -> [Finding] {
        let bad = facts.echoes.first { $0.fate == .forbidden } ?? facts.echoes.first { $0.fate == .lost }
        let blocked = bad.map { echo in
            Finding(.phonesBlocked(interface: echo.interface, isOutgoing: echo.fate == .forbidden), .note)
        }
        return (blocked.map { [$0] } ?? []) + (facts.isPortTaken ? [Finding(.phonePortTaken, .note)] : [])
    }
}
