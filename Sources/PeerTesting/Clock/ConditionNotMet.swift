/// A condition did not hold in time.
public struct ConditionNotMet: Error, CustomStringConvertible {
    /// The file that waited.
    public let fileID: StaticString
    /// The line that waited.
    public let line: UInt
    /// How far time has moved.
    public let limit: Duration

    /// Where what was awaited for how long.
    public var description: String {
        "The condition at \(fileID):\(line) does not hold after \(limit) of the network’s time."
    }
}
