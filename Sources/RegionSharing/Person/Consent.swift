/// Who decides what is taken and given.
///
/// A wish of the person who starts something, and what that person is able to do.
///
/// ```swift
/// let consent: Consent = isatty(STDIN_FILENO) == 1 ? .person : .knownMachines
/// ```
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum Consent: Hashable, Sendable {
    /// A person is asked.
    case person
    /// Without questions, offers of known machines are taken, and their requests are granted.
    case knownMachines
    /// Without questions, everything harmless is taken and given.
    case everything

    /// Whether a person is asked.
    public var asks: Bool { self == .person }
}
