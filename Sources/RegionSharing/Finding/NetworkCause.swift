package import Diagnosis

/// Why this machine and a sender do not meet, as far as this machine can tell.
public struct NetworkCause: Hashable, Sendable {
    /// How far to look for a cause.
    package enum Look: Hashable, Sendable {
        case network
        /// What is known of this machine; nothing is sent.
        case machine
        /// Everything, for some seconds; the sender is asked what it sees.
        case everything
    }

    /// What was found.
    package var finding: Finding

    /// The name of the cause, such as `tunnelTakesNetwork`; it stays the same in all versions.
    public var code: String { finding.code.rawValue }
    /// Whether this machine is on no network; then the transfer resumes as soon as it is on one.
    public var isAbsence: Bool { finding.isAbsence }
    /// Whether a person has to do something: waiting does not help.
    public var needsPerson: Bool { finding.needsPerson }
}
