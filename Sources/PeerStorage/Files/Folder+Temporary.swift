import Glibc

extension Folder {
    /// Creates a file of which nothing is left when it is closed, however the process ends.
    ///
    /// It has no name, or has one for a moment if the file system only has files with names.
    package func temporaryFile() throws(SystemError) -> OpenFile {
        if let file = try createUnnamedFile() { return file }
        let name = ".temporary-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        let file = try createFile(name)
        try removeFile(name)
        return file
    }
}

extension OpenFile {
    /// Returns a further descriptor of the file, which the caller must close.
    package func duplicate() throws(SystemError) -> CInt {
        try SystemCall.perform(.open, path, faults) { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
    }
}
