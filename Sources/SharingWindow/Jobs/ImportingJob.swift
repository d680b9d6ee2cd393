import FoundationEssentials
import MapPages
import RegionSharing
package import RegionStore
import Sentences
import SharingReports

/// The import of files of this machine.
package struct ImportingJob: AppWindowJob {
    /// Where the files are.
    package enum Source: Sendable {
        /// A page sends them.
        case sent(ArrivingFiles)
        /// They are at these paths, and nothing was read of them yet.
        case here([String])
    }

    package let desk: WindowDesk
    package let source: Source
    /// How long a page can stop sending before it counts as gone.
    package var patience: Duration = .seconds(600)
    /// How long a page can stop sending before that is said.
    private static let shortPatience: Duration = .seconds(15)

    package init(at desk: WindowDesk, from source: Source) { (self.desk, self.source) = (desk, source) }

    package var title: String {
        let (names, count) =
            switch source {
            case .sent(let files): (files.paths, files.files.count)
            case .here(let paths): (paths, paths.count)
            }
        // The last part of a path; a folder counts as one.
        let only = names.count == 1 ? names[0].split(separator: "/").last.map(String.init) : nil
        let title: DisplayText = "Adding \(only ?? Wording.count(count, "file"))"
        return title.string
    }

    /// The files that a page sends; nil if none sends any.
    package var sent: ArrivingFiles? { if case .sent(let files) = source { files } else { nil } }

    package func run(_ stops: AsyncStream<Void>) async throws {
        let window = WindowPerson(at: desk)
        let hasAdded = WindowStop.Flag()
        try await WindowStop.watch(stops) {
            // The work on a file ends with its task.
            false
        } conclude: { _ in
            CommandError(
                .interrupted,
                hasAdded.isSet ? "Interrupted. What was added before stays." : "Interrupted; nothing was added."
            )
        } _: {
            defer { window.show(nil) }
            switch source {
            case .sent(let files): try await receive(files, window)
            case .here(let paths): try await confirm(paths, window)
            }
            try await add(window, hasAdded)
        }
    }

    // MARK: The files

    /// Asks whether files are read.
    private func confirm(_ paths: [String], _ window: WindowPerson) async throws {
        let shown = paths.prefix(10).map { DisplayText(escaping: $0) }
        let more: [DisplayText] = paths.count > shown.count ? ["and \(paths.count - shown.count) more"] : []
        let question: DisplayText = paths.count == 1 ? "Add this to your maps?" : "Add these to your maps?"
        guard try await window.confirm(introduction: (shown + more).joined(separator: "\n"), question) else {
            throw CommandError(.declined, "Nothing was added.")
        }
    }

    /// Waits until a page has sent the files.
    private func receive(_ files: ArrivingFiles, _ window: WindowPerson) async throws {
        let total = Wording.size(files.size)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for try await length in files.lengths {
                    let part = Double(length) / Double(max(1, files.size))
                    window.show("Reading  \(Wording.percent(part)) of \(total)", fraction: part)
                }
                try Task.checkCancellation()
            }
            group.addTask { try await waitForSilence(of: files, window) }
            defer { group.cancelAll() }
            try await group.next()
        }
        window.show(nil)
    }

    /// Ends, with an error, when a page has stopped sending.
    private func waitForSilence(of files: ArrivingFiles, _ window: WindowPerson) async throws {
        var isTold = false
        while true {
            try await Task.sleep(for: min(.seconds(1), patience / 4))
            let time = files.idleTime
            guard time < patience else {
                throw CommandError(
                    .interrupted,
                    "The browser has stopped sending the files, so nothing was added.",
                    remedy: "Add them again."
                )
            }
            guard time >= Self.shortPatience else {
                isTold = false
                continue
            }
            if !isTold {
                window.show(
                    "The browser has stopped sending. If the page was loaded again, add the same files once more: the rest follows."
                )
            }
            isTold = true
        }
    }

    /// Looks at the files, without reading all of them.
    private func look(_ person: any Person) throws -> ImportFiles {
        switch source {
        case .sent(let files): return try ImportFiles(files, person: person)
        case .here(let paths):
            let (folder, names) = Self.inFolder(paths)
            return try ImportFiles(names, in: folder, person: person)
        }
    }

    /// Returns the folder that has all of some files, and their paths in it.
    static func inFolder(_ paths: [String]) -> (folder: String, names: [String]) {
        let parts = paths.map { path in
            path.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
        }
        var common = parts.first.map { Array($0.dropLast()) } ?? []
        for names in parts {
            let same = zip(common, names.dropLast()).prefix { $0 == $1 }.count
            common = Array(common.prefix(same))
        }
        let names = parts.map { $0.dropFirst(common.count).joined(separator: "/") }
        return (common.map { "/" + $0 }.joined(), names)
    }

    // MARK: The import

    private func add(_ window: WindowPerson, _ hasAdded: WindowStop.Flag) async throws {
        let store = try desk.open(.creating)
        let looking = ImportingPerson(person: window, isOfSeveral: true, hasAdded: hasAdded)
        let files = try await OwnThread.run { try look(looking) }
        let count = files.readable.count + files.refused.count
        guard files.readable.contains(where: { $0.kind != .other }) else {
            guard files.refused.isEmpty else { throw CommandError(.unknownFile, "Nothing was added.") }
            throw CommandError.nothingToImport(in: count == 1 ? "it" : "these files", files.readable)
        }
        let person = ImportingPerson(person: window, isOfSeveral: count > 1, hasAdded: hasAdded)
        var work = Import(files, into: store, person: person) { try await desk.localPeer(of: store, window) }
        (work.consent, work.ownID) = (.person, store.ownID)
        try tell(of: try await work.run(), count, window)
    }

    /// Accounts for the files.
    private func tell(of done: ImportSummary, _ count: Int, _ window: WindowPerson) throws {
        if !done.leftOut.isEmpty { window.note(PlainReport.leftOut(done.leftOut).text) }
        guard !done.regions.isEmpty else { throw CommandError(.unknownFile, "Nothing was added.") }
        let without = done.refused.count + done.leftOut.count
        if count > 1 {
            var words: DisplayText = "\(max(0, count - without)) of \(count) files are in your maps now."
            if !done.refused.isEmpty {
                words = "\(words) Not added: \(done.refused.count), for the reasons in this list."
            }
            window.note(words)
        }
        guard done.regions.count == 1, let region = done.regions.first else { return }
        let title: DisplayText = "\(DisplayText(quoting: region.name)) is here"
        window.window.tell(region: region.id.uuidString, title: title.string)
    }
}
