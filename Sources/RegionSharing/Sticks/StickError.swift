/// Why nothing is written to a stick, or received from it.
package enum StickError: SharingError {
    /// A person did not want it, so nothing was written.
    case declined
    /// The folder has no request of another machine.
    case noRequest(folder: String)
    /// The machine that wrote a request is not trusted, and there is no person to ask.
    case unknownRecipient
    /// The region was written for anyone so many times already.
    case tooManyFiles(region: String, count: Int)
    /// All files are for others, and there is no person to ask whether to write a request.
    case unasked
    /// The secret opens no file on the stick.
    case secretOpensNothing
    /// A file is not from the trusted machine whose name it has.
    case impostor(name: String)
    /// The machine that wrote a file is not trusted, and there is no person to ask.
    case unknownSender(name: String)
}

/// Nothing was taken of several files on a stick, whose errors were told; this was the first.
package struct NothingTaken: SharingError {
    package let error: any Error
}
