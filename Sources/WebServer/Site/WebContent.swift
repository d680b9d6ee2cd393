/// Takes the content of one request as it comes, instead of a file.
///
/// It is released when the request ends, complete or not. The site answers only a complete one.
package protocol WebContent: Sendable {
    /// Takes the next bytes.
    ///
    /// Called on a thread that it may block, one call after the other. While it works, at most some hundred kilobytes more are
    /// read from the client.
    ///
    /// - Throws: ``WebRefusal`` with the answer, or any other error. The client is answered at once, and its other bytes are
    ///   dropped.
    func write(_ bytes: UnsafeRawBufferPointer) throws
}
