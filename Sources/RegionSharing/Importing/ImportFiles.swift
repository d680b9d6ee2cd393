package import RegionStore

/// The files that a person wants to import, and those in their folders.
package struct ImportFiles: Sendable {
    /// The files that can be read.
    package let readable: [InputFile]
    /// The others.
    let refusals: RefusedFiles
    /// Whether a person has named one file, and no folder.
    let isNamed: Bool

    /// Looks at files, and tells of those that cannot be read.
    ///
    /// - Parameters:
    ///   - paths: The names as text.
    ///   - arguments: The names as bytes, among which those are found that are not UTF-8.
    ///   - areSealed: Whether the files are taken as they are, whatever they are, except those in folders.
    ///   - person: Who is told.
    /// - Throws: `RegionStoreError` if a folder cannot be read.
    package init(_ paths: [String], arguments: [[CChar]], areSealed: Bool, person: any Person) throws {
        var refusals = RefusedFiles(person)
        readable = try InputFile.all(paths, arguments: arguments, areSealed: areSealed) { path, error in
            try refusals.note(error, .reading(meant: ImportKind(fileName: path)))
        }
        self.refusals = refusals
        isNamed = paths.count == 1 && readable.first?.path == paths[0]
    }

    /// The files that cannot be read.
    package var refused: [RefusedFile] { refusals.files }

    /// What all files are, or were meant to be by their names: one of two maps does not become the only one if the other is misspelt.
    package var kinds: [ImportKind] {
        readable.map(\.kind)
            + refused.compactMap { file in
                if case .reading(let meant) = file.work { meant } else { nil }
            }
    }
}
