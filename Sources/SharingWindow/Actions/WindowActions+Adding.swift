import MapPages
import RegionStore
import SharingReports
import WebServer

extension WindowActions {
    /// The maximum number of files that are given by their paths.
    private static let maximumPathCount = 100
    /// The maximum length of the names of all files that a page announces, in bytes.
    private static let maximumNamesLength = 4 << 20

    /// What a page announces before it sends files: the names, with the folders, and the sizes in the same order.
    private struct Announcement: Decodable {
        var names: [String]
        var sizes: [UInt64]
    }

    /// How much of the files is here.
    private struct Progress: Encodable {
        /// `receiving` or `added`.
        var state: String
        var length: UInt64

        init(_ files: ArrivingFiles) {
            length = files.length
            state = length == files.size ? "added" : "receiving"
        }
    }

    /// Adding files of this machine.
    ///
    /// A page announces what it sends with `files`, and gets a name for `block/NAME/OFFSET`, to which it sends one block after the
    /// other. `block/NAME` is how much is here, and what comes next after an interruption.
    var adding: [String: AppWindowAction] {
        struct Wish: Decodable { var paths: [String] }
        return [
            "add": AppWindowAction(Wish.self) { wish in
                let areValid = wish.paths.allSatisfy { $0.utf8.first == UInt8(ascii: "/") && !$0.utf8.contains(0) }
                guard (1...Self.maximumPathCount).contains(wish.paths.count), areValid else {
                    return AppWindowAction.invalid
                }
                return desk.begin(ImportingJob(at: desk, from: .here(wish.paths)))
            },
            "files": AppWindowAction(Announcement.self, maximumLength: Self.maximumNamesLength) { announce($0) },
            "block": block,
        ]
    }

    /// Taking a block of the files.
    private var block: AppWindowAction {
        var block = AppWindowAction(
            contentType: "application/octet-stream",
            maximumLength: ArrivingFiles.maximumBlockLength
        ) { request, rest in
            guard rest.count == 2, let offset = UInt64(rest[1]), let files = arriving(rest[0]),
                let content = request.content
            else { return .notFound }
            do {
                let isExpected = try files.add(content, at: offset)
                var answer = Self.answer(Progress(files))
                if !isExpected { answer.status = .conflict }
                return answer
            } catch {
                return Self.refusal(error)
            }
        }
        block.refusal = { request, rest in
            guard rest.count == 2, let files = arriving(rest[0]) else { return .notFound }
            do {
                try files.checkRoom(for: request.contentLength)
                return nil
            } catch {
                return Self.refusal(error)
            }
        }
        return block
    }

    /// How much has arrived of the files that a page sends.
    var addingReadings: [String: AppWindowSite.Reading] {
        [
            "block": { rest in
                guard rest.count == 1, let files = arriving(rest[0]) else { return .notFound }
                return Self.answer(Progress(files))
            }
        ]
    }

    /// The files of the running job, if this is their name.
    private func arriving(_ name: String) -> ArrivingFiles? {
        let files = (desk.window.job as? ImportingJob)?.sent
        return files?.id == name ? files : nil
    }

    private func announce(_ announced: Announcement) -> WebResponse {
        let files = zip(announced.names, announced.sizes).compactMap { ArrivingFile(path: $0, size: $1) }
        guard !files.isEmpty, files.count == announced.names.count, files.count == announced.sizes.count else {
            return WebResponse(.badRequest, "A file has a name that is not possible. Rename it, and add it again.")
        }
        // A page that was loaded again sends the rest.
        if let running = (desk.window.job as? ImportingJob)?.sent, running.files == files {
            return Self.answer(Announced(running))
        }
        guard !desk.window.isRunning else { return WindowDesk.busy }
        do {
            let arriving = try desk.open(.creating).arrivingFiles(files)
            let begun = desk.begin(ImportingJob(at: desk, from: .sent(arriving)))
            return begun.status == .ok ? Self.answer(Announced(arriving)) : begun
        } catch {
            return Self.refusal(error)
        }
    }

    /// The answer to an announcement.
    private struct Announced: Encodable {
        var id: String
        var blockLength = ArrivingFiles.maximumBlockLength
        var progress: Progress

        init(_ files: ArrivingFiles) { (id, progress) = (files.id, Progress(files)) }
    }

    private static func answer(_ value: some Encodable) -> WebResponse {
        .json(value, orSaying: "This cannot be answered.")
    }

    private static func refusal(_ error: any Error) -> WebResponse {
        let status: WebResponse.Status = (error as? RegionStoreError)?.code == .storage ? .noSpace : .badRequest
        return WebResponse(status, ProblemReport(error).windowText.string)
    }
}
