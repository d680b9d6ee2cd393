/// One result of an examination: what was found, why it matters, and what a person can do about it.
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

    /// What was found, for programs.
    package var code: Code

    /// What the finding is about.
    package var subject: Subject

    /// The severity.
    package var severity: Severity

    /// What was found, and why it matters, in words that a person without technical knowledge understands.
    package var message: String

    /// What the person can do; nil if nothing has to be done.
    package var remedy: String?

    /// The command that solves the problem; nil if there is none.
    package var command: String?

    /// The interface that the finding is about; nil for none or several.
    package var interface: String?

    /// The port that the finding is about; nil for none.
    package var port: Int?

    /// Creates a finding.
    package init(
        _ code: Code,
        _ subject: Subject,
        _ severity: Severity,
        _ message: String,
        remedy: String? = nil,
        command: String? = nil,
        interface: String? = nil,
        port: Int? = nil
    ) {
        self.code = code
        self.subject = subject
        self.severity = severity
        self.message = message
        self.remedy = remedy
        self.command = command
        self.interface = interface
        self.port = port
    }
}
