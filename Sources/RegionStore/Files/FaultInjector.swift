/// Who is told of every step of a store, and may let it fail: tests are, nobody else.
///
/// Folders hand it on to what is opened in them. Without one, a step costs the look whether there is one.
package protocol FaultInjector: AnyObject, Sendable {
    /// Is told that a store gets to a point.
    func reach(_ point: FaultPoint)

    /// Is told of a system call to be made.
    ///
    /// - Parameters:
    ///   - operation: What is to be done.
    ///   - path: To what; where it is a rename or a link, the new name.
    ///   - count: How many bytes it is to move; 0 if it moves none.
    /// - Returns: How many bytes it may move: at least one of them.
    /// - Throws: The error with which it is to fail, without being made.
    func begin(_ operation: FileOperation, _ path: String, count: Int) throws(SystemError) -> Int

    /// Is told that a system call has been made.
    func end(_ operation: FileOperation, _ path: String)
}
