import Glibc

/// The error number of a system call that failed.
struct SystemError: Error, Hashable {
    var number: CInt

    /// What the number means, in words that a hiker understands.
    var reason: String {
        switch number {
        case ENOSPC, EDQUOT: "the disk is full"
        case EACCES, EPERM: "permission is denied"
        case EROFS: "the disk is read-only"
        case ENOENT: "it does not exist"
        case EISDIR: "it is a folder"
        case ENOTDIR: "a part of the path is not a folder"
        case ELOOP: "it is a symbolic link"
        case EEXIST: "it exists already"
        case EIO: "the disk reports an error"
        case EMFILE, ENFILE: "too many files are open"
        case EFBIG: "it is too large for this disk"
        default: String(cString: strerror(number))
        }
    }

    /// What to do about it; nil if that depends.
    var remedy: String? {
        switch number {
        case ENOSPC, EDQUOT: "Free some space and try again."
        case EACCES, EPERM: "Change the permissions, or choose another place."
        case EROFS: "Choose a place that can be written."
        default: nil
        }
    }
}

/// Calls into the system that are interrupted by signals, or end before all is done, and are then continued.
enum SystemCall {
    /// Makes a call again while signals interrupt it; returns what it returned.
    @discardableResult
    static func retrying<Result: BinaryInteger>(_ call: () -> Result) throws(SystemError) -> Result {
        while true {
            let result = call()
            if result != -1 { return result }
            guard errno == EINTR else { throw SystemError(number: errno) }
        }
    }
}

extension RegionStoreError {
    /// An error of this machine's storage: says what could not be done with which file, and why.
    static func storage(_ action: String, _ path: String, _ error: SystemError) -> RegionStoreError {
        RegionStoreError(.storage, "\(path) cannot be \(action): \(error.reason).", remedy: error.remedy, cause: error)
    }
}
