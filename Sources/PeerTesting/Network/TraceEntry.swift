/// A frame that has arrived at a machine.
public struct TraceEntry: Hashable, Sendable, CustomStringConvertible {
    /// The time since the network was created.
    public let time: Duration
    /// The machine that has sent the frame.
    public let sender: String
    /// The machine that has received it.
    public let receiver: String
    /// The type of the frame, such as `hello`.
    public let frame: String

    /// The entry as a line of text.
    public var description: String { "\(time): \(sender) -> \(receiver): \(frame)" }
}
