package import RegionStore

/// The files that a person wants to import, and those in their folders.
package struct ImportFiles: Sendable {
    /// The files that can be read.
    package let readable: [InputFile]
    let refusals: RefusedFiles
    /// Whether a person has named one file, and no folder.
    let isNamed: Bool
    /// The files that were sent, which are there until the import has ended; nil if all stay where they are.
    private let sent: ArrivingFiles?

    /// Looks at files, and tells of those that cannot be read.
    ///
    /// - Parameters:
    ///   - arguments: The names as bytes, among which those are found that are not UTF-8.
    ///   - folder: The folder in which the paths begin; nil for the current one.
    ///   - areForeign: Whether the files are taken as they are, whatever they are, except those in folders.
    package init(
        _ paths: [String],
        arguments: [[CChar]] = [],
        in folder: String? = nil,
        areForeign: Bool = false,
        person: any Person
    ) throws {
        var refusals = RefusedFiles(person)
        readable = try InputFile.all(paths, arguments: arguments, in: folder, areForeign: areForeign) { path, error in
            try refusals.note(error, of: path, .reading(meant: ImportKind(fileName: path)))
        }
        (self.refusals, sent) = (refusals, nil)
        isNamed = paths.count == 1 && readable.first?.path == paths[0]
    }

    /// Looks at files that were sent, and tells of those that cannot be read.
    package init(_ sent: ArrivingFiles, person: any Person) throws {
        var refusals = RefusedFiles(person)
        readable = try InputFile.all(sent) { path, error in
            try refusals.note(error, of: path, .reading(meant: ImportKind(fileName: path)))
        }
        (self.refusals, self.sent) = (refusals, sent)
        isNamed = sent.files.count == 1 && readable.first?.path == sent.files[0].path
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
