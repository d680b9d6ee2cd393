/// Who decides what is taken and given.
///
/// A wish of the person who starts something, and what that person is able to do.
///
/// ```swift
/// let consent: Consent = isatty(STDIN_FILENO) == 1 ? .person : .knownMachines
/// ```
public enum Consent: Hashable, Sendable {
    /// A person is asked.
    case person
    /// Nobody is asked: what known machines offer is taken, and what they ask for is given.
    case knownMachines
    /// Nobody is asked: everything is taken and given that does no harm.
    case everything

    /// Whether a person is asked.
    public var asks: Bool { self == .person }
}
