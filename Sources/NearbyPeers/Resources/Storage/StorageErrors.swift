import Glibc
import PeerCore
import PeerProtocol
import PeerStorage

/// The errors of the storage of resources, without paths, because the other side may see them.
extension PeerError {
    /// The error of a system call while a received resource is written.
    static func cannotStore(_ name: SafeFileName, _ error: SystemError) -> PeerError {
        guard error.number != EEXIST else {
            return PeerError(
                .localStorage,
                "“\(name.text)” cannot be stored: a file with this name exists already, and files are never replaced.",
                remedy: "Choose another name or folder, or move the file.",
                cause: error
            )
        }
        return PeerError(
            .localStorage,
            "“\(name.text)” cannot be stored: \(error.reason).",
            remedy: error.remedy ?? "Choose another folder.",
            cause: error
        )
    }

    /// The error of a disk that has no room for a resource.
    static func noRoom(_ name: SafeFileName, need: UInt64, available: UInt64) -> PeerError {
        PeerError(
            .localStorage,
            "There is not enough space for “\(name.text)”: it needs \(megabytes(need)), and \(megabytes(available)) are free.",
            remedy: "Free some space and try again."
        )
    }

    /// The error of a resource that is larger than the limit for memory.
    static func exceedsMemory(_ name: SafeFileName) -> PeerError {
        PeerError(
            .invalidArgument,
            "“\(name.text)” is larger than this application accepts in memory.",
            remedy: "Receive it into a file."
        )
    }

    /// The error of a destination that is not the path of a file.
    static let noFilePath = PeerError(
        .invalidArgument,
        "The destination of the received file is not a file path.",
        remedy: "Choose another destination."
    )

    /// The error of a manifest that differs from the offer.
    static let otherThanOffered = PeerError(
        .protocolViolation,
        "The other side sent something other than it offered.",
        remedy: "Update the program on the other machine."
    )

    /// The error of a method that is called for another resource, too early, or too late.
    static let notPartOfTransfer = PeerError(
        .invalidArgument,
        "The resource is not part of this transfer, or is incomplete."
    )

    private static func megabytes(_ bytes: UInt64) -> String {
        "\(bytes / 1_000_000 + (bytes % 1_000_000 == 0 ? 0 : 1)) MB"
    }
}
