import PeerProtocol
import PeerStorage
package import RegionModel

/// What files on a stick have in common.
package enum StickFile {
    /// What the name of a request ends with.
    package static let requestSuffix = ".stick-request"
    /// What the name of a sealed region ends with.
    package static let suffix = ".stick"

    /// The number of bytes of a public key of P-256.
    static let publicKeyLength = 64

    /// The error of a file that is not what was written, with the rule that it breaks: a clause about the file, “it”.
    static func damaged(_ rule: String, cause: (any Error)? = nil) -> RegionStoreError {
        RegionStoreError(
            .invalidFile,
            "The file on the stick is damaged, was cut off, or was changed: \(rule). Nothing of it was taken.",
            remedy: "Remove the file, and have it written again.",
            cause: cause
        )
    }

    /// The error of a file whose content breaks the rules of a transfer.
    static func damaged(_ error: ProtocolError) -> RegionStoreError {
        let rule =
            switch error.code {
            case .digestMismatch: "its data do not match their digests"
            case .limitExceeded: "a part of it is longer than allowed"
            case .unexpectedFrame: "its parts are not in the right order"
            case .invalidManifest: "the description of the map cannot be read"
            default: "a part of it cannot be read"
            }
        return damaged(rule, cause: error)
    }

    /// The error of a file without its end.
    static let cutOff = RegionStoreError(
        .invalidFile,
        "The file on the stick is only a part of what was written, or its end was changed. Nothing of it was taken.",
        remedy: "Have it written again, and eject the stick before it is taken out."
    )

    /// The error of a file for anyone whose beginning the given secret does not open.
    static let unopened = RegionStoreError(
        .invalidFile,
        "This link does not open the file on the stick, or the file is damaged. Nothing of it was taken.",
        remedy: "Give the link that was shown when the file was written, or have it written again."
    )

    /// The error of a file that is sealed for a request which is not open any more, or for another machine.
    package static let old = RegionStoreError(
        .invalidFile,
        "The file on the stick is sealed for another machine, or for a request that this machine has replaced or used up.",
        remedy: "Write a new request to the stick, and have the map written for it."
    )

    /// The error of a file for anyone, if there is no link.
    package static let needsLink = RegionStoreError(
        .invalidFile,
        "The file on the stick is for anyone who has its link.",
        remedy: "Give the link that was shown when the file was written."
    )

    /// The error of a file that relies on tiles that the store no longer has.
    static let stale = RegionStoreError(
        .conflict,
        "The store has changed since the request was written, so the file on the stick lacks something now.",
        remedy: "Write a new request to the stick, and have the map written for it."
    )

    /// The paths of the files in a folder whose names end with a suffix, in the order of their names.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if there is no such folder,
    ///   `RegionStoreError.Code.storage` if it cannot be read.
    package static func paths(in folder: String, _ suffix: String) throws -> [String] {
        do throws(SystemError) {
            let folder = try Folder(folder)
            return try folder.names().filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }.sorted()
                .map { folder.path(of: $0) }
        } catch {
            var failure = RegionStoreError.storage("read", folder, error)
            if error.isOfMissingFile { failure.code = .notFound }
            throw failure
        }
    }
}
