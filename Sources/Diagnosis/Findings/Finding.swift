/// One result of an examination: what was found, what speaks for it and against it.
///
/// A plain value; faces say it in words.
package struct Finding: Hashable, Sendable {
    /// The severity of a finding, the least severe first.
    package enum Severity: String, CaseIterable, Comparable, Sendable {
        /// What was checked is as it should be.
        case ok
        /// Worth knowing; nothing has to be done.
        case note
        /// Something works only in part, or may fail.
        case warning
        /// Something does not work.
        case problem

        package static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// What a finding is about.
    package enum Subject: String, CaseIterable, Sendable {
        /// Interfaces, addresses and routes of this machine.
        case network
        /// Avahi and multicast.
        case discovery
        /// The firewall of this machine.
        case firewall
        /// The machines nearby, and the ways to them.
        case peers
        /// The time of this machine.
        case clock
        /// The folder in which data are stored.
        case storage
    }

    /// What was found.
    package var kind: Kind
    package var severity: Severity
    package var speaksFor: [Evidence]
    package var speaksAgainst: [Evidence]
    /// Whether this machine can make a Wi-Fi network of its own; nil if that is not known.
    package var canMakeNetwork: Bool?
    /// Whether the firewall of this machine was opened already.
    package var isFirewallOpened = false

    package init(
        _ kind: Kind,
        _ severity: Severity,
        for speaksFor: [Evidence] = [],
        against speaksAgainst: [Evidence] = []
    ) {
        (self.kind, self.severity) = (kind, severity)
        (self.speaksFor, self.speaksAgainst) = (speaksFor, speaksAgainst)
    }

    /// The name of what was found, for programs.
    package var code: Code { kind.code }

    /// What the finding is about.
    package var subject: Subject { code.subject }

    /// Whether it ends neither by itself nor by waiting, and certainly keeps the machines apart.
    ///
    /// What may be only the other machine asleep, or a network that is away for a while, goes away by itself.
    package var needsPerson: Bool {
        guard severity == .problem else { return false }
        return switch kind {
        case .tunnelTakesNetwork, .containersTakeNetwork, .tunnelBlocks, .routeRefused, .cardTakesNetwork,
            .sharedAddress,
            .duplicateAddress, .outgoingBlocked, .encryptionBlocked, .signInPage, .onlyWebPorts, .addressTaken,
            .answersBlocked:
            true
        default: false
        }
    }

    /// Whether this machine is on no network.
    package var isAbsence: Bool {
        switch kind {
        case .noInterface, .radioOff, .interfaceDown, .noCarrier, .noAddress, .networkingOff: true
        default: false
        }
    }
}
