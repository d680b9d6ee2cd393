/// Sees each system call of a storage on its files, and can let it fail.
///
/// Only tests use it.
///
/// Folders pass the injector on to the files that are opened in them.
package protocol FaultInjector: AnyObject, Sendable {
    /// Called before a system call.
    ///
    /// - Parameters:
    ///   - path: The path; for a rename or a link, the new path.
    ///   - count: The number of bytes that the call transfers; 0 if it transfers none.
    /// - Returns: The number of bytes that the call may transfer, at least 1.
    func begin(_ operation: FileOperation, _ path: String, count: Int) throws(SystemError) -> Int

    /// Called after a system call.
    func end(_ operation: FileOperation, _ path: String)
}
