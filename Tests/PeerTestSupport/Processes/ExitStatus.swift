/// How a process ended.
public enum ExitStatus: Hashable, Sendable {
    /// It exited with a code.
    case exited(Int32)
    /// A signal ended it.
    case signalled(Int32)
}
