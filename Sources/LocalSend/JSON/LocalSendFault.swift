package import PeerProtocol

/// What is wrong with JSON of a device.
package enum LocalSendFault: Error, Hashable, Sendable {
    /// It is longer than allowed.
    case tooLong
    /// It is no JSON, or not within the limits of the scanner.
    case json(JSONFault)
    /// A value is missing, or is of another type than it must be.
    case missing(String)
    /// A value is not allowed.
    case invalid(String)
    /// There are more files than allowed.
    case tooManyFiles
    /// There are files, and none can be taken as it is described.
    case noUsableFile

    /// The answer to a request with it.
    package var status: LocalSendStatus {
        switch self {
        case .tooLong, .tooManyFiles: .tooLarge
        case .json, .missing, .invalid, .noUsableFile: .invalid
        }
    }
}
