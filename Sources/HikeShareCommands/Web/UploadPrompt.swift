import FoundationEssentials
import MapPages
import PeerCore
import RegionSharing
import RegionStore
import TrackFiles

/// Asks about the files that phones send, and imports them.
struct UploadPrompt: Sendable {
    /// There was no answer in time.
    private struct NoAnswer: Error {}

    /// The number of names that a question shows.
    private static let shownNames = 5

    var region: RegionSummary
    var store: RegionStore
    var desk = UploadDesk()
    var console: Console

    /// How long the question waits whether a file may come.
    private static let patience: Duration = .seconds(60)
    /// How long a question about a file waits that has come: as long as the page.
    private static let longPatience: Duration = .seconds(1_000_000)

    /// Decides on files until the task is cancelled.
    func follow(_ queue: UploadQueue) async {
        await withDiscardingTaskGroup { group in
            for await turn in queue.turns { group.addTask { await follow(turn, of: queue) } }
        }
    }

    private func follow(_ turn: UploadQueue.Turn, of queue: UploadQueue) async {
        guard let state = await decide(on: turn) else { return queue.allow(turn.number) }
        let isWorthANote = queue.finish(turn.number, state)
        switch state {
        case .unusable where isWorthANote:
            console.note(
                "A phone (\(turn.client)) has sent a file that cannot be added, \(Self.name(turn)), and was told why."
            )
        case .unanswered:
            console.note("There was no answer, so \(Self.name(turn)) from \(turn.client) was not added.")
        default: break
        }
    }

    /// Returns what becomes of a file; nil if it may come.
    private func decide(on turn: UploadQueue.Turn) async -> UploadQueue.State? {
        do {
            if let file = turn.file { return try await decide(on: file, turn) }
            let what: DisplayText = "A phone (\(turn.client)) wants to send \(Self.title(turn))."
            let question: DisplayText = "Take it? What is in it is shown before it is added."
            return try await confirm(what, question, within: Self.patience) ? nil : Self.no
        } catch is NoAnswer {
            return .unanswered("The person at the laptop did not answer. Ask them, then send the file again.")
        } catch let error as RegionStoreError where error.code != .storage {
            // The person who has sent the file can do something about it. The path on this disk is not their business.
            let remedy = error.cause is UnknownFileKind ? "Choose a map, a track file or a photo." : error.remedy
            let words = [error.message, remedy].compactMap { $0 }.joined(separator: " ")
            return .unusable(turn.file.map { words.replacing($0.path, with: "The file") } ?? words)
        } catch let error as CommandError {
            return .unusable(error.message)
        } catch is CancellationError {
            return .unanswered("The laptop takes no more files.")
        } catch {
            console.note("\(Self.name(turn)) from \(turn.client) could not be added:")
            console.warn(ProblemReport(error, severity: .warning))
            return .failed("The laptop could not add the file. Its screen says why.")
        }
    }

    private func decide(on uploaded: UploadedFile, _ turn: UploadQueue.Turn) async throws -> UploadQueue.State {
        let file = try InputFile(lookingAt: turn.name, at: uploaded.path)
        switch file.kind {
        case .map:
            let (store, console, title) = (store, console, "Examining \(Self.name(turn))" as DisplayText)
            let map = try await examine(file, turn) {
                let progress = WorkProgress(title, on: console)
                defer { progress.finish() }
                return try store.prepareMap(at: file.location, called: file.path, by: $0, progress: progress.report)
            }
            guard let map else { return Self.no }
            return try await desk.decide { try await takeMap(map, file, turn) }
        case .routing:
            let store = store
            let routing = try await examine(file, turn) {
                try store.prepareRouting(at: file.location, called: file.path, beside: [:], by: $0)
            }
            guard let routing else { return Self.no }
            return try await desk.decide { try await takeRouting(routing, file, turn) }
        case .tracks: return try await desk.decide { try await takeTracks(uploaded, turn) }
        case .sealed(let format): return try await desk.decide { try await takeSealed(file, format, turn) }
        case .photo: return try await desk.decide { try await takePhoto(file, turn) }
        case .other: return .unusable("Files of this kind cannot be added.")
        }
    }

    /// Examines a database; nil if that takes long, and the person says no.
    ///
    /// What it takes is asked of its header first. A file that takes longer than it says is not examined to the end unasked.
    private func examine<Result: Sendable>(
        _ file: InputFile,
        _ turn: UploadQueue.Turn,
        _ body: @escaping @Sendable (ImportWork) throws -> Result
    ) async throws -> Result? {
        let store = store
        let cost = try await desk.examine { _ in try store.importCost(at: file.location, called: file.path) }
        if !cost.isLong, !cost.isOutOfProportion {
            do {
                return try await desk.examine(body)
            } catch is ImportWork.TooLong {
                // Asked about below.
            }
        }
        let isLonger: DisplayText = cost.isLong ? "" : "It takes longer to examine than files of its size do. "
        let what: DisplayText =
            "A phone (\(turn.client)) has sent \(Self.title(turn)). \(isLonger)\(cost.words)"
        let question: DisplayText = "Examine it? You are asked again before it is added."
        guard try await desk.decide({ try await confirm(what, question) }) else { return nil }
        return try await desk.examineAgreed(body)
    }

    // MARK: The kinds of files

    private func takeTracks(_ file: UploadedFile, _ turn: UploadQueue.Turn) async throws -> UploadQueue.State {
        let document = try await OwnThread.run {
            try TrackFileReader(limits: .upload).read(file.file, named: turn.name)
        }
        let what = Self.introduction(document, from: turn.client, to: region)
        let (store, id) = (store, region.id)
        let expected = try await OwnThread.run { try store.expectedImport(of: document, into: id) }
        guard try await confirm(what, Self.question(about: expected)) else { return Self.no }
        let imported = try await OwnThread.run { try store.importGPX(document, into: id) }
        console.emit(ImportedTracks(file: turn.name, imported: imported))
        return .added("The laptop has it now.")
    }

    private func takeMap(
        _ map: PreparedMap,
        _ file: InputFile,
        _ turn: UploadQueue.Turn
    ) async throws -> UploadQueue.State {
        let importer = MapImporter(store: store, person: TerminalPerson(console))
        if try map.knownRegion() != nil { return .added("The laptop has this map already.") }
        let sent: DisplayText =
            """
            A phone (\(turn.client)) has sent a map, \(Self.title(turn)): \(DisplayText(quoting: map.name)), \
            \(Wording.extent(map.boundingBox)).
            """
        var decision = MapReplacement.Decision.leaveOut
        if let local = try map.olderVersion() {
            // The text above the question quotes the name of the file. Unquoted, a name could pass for words of the program.
            let facts = ImportedMapFacts(map)
            let replacement = try MapReplacement("The file", facts, of: local, ownID: store.ownID, in: store)
            let line = try await console.askGivingWay(
                introduction: "\(sent)\n\(replacement.introduction)",
                replacement.question,
                within: Self.longPatience
            )
            guard let line else { throw NoAnswer() }
            decision = replacement.answer(line)
        } else if try await confirm(sent, "Add it to your maps?") {
            decision = .add(name: nil)
        }
        let result = decision
        let stored = try await OwnThread.run { try importer.add(map, of: file, result) }
        return stored.map { .added("The laptop has the map now: “\($0.region.name)”.") } ?? Self.no
    }

    private func takeSealed(
        _ file: InputFile,
        _ format: SealedFormat,
        _ turn: UploadQueue.Turn
    ) async throws -> UploadQueue.State {
        let what: DisplayText = "A phone (\(turn.client)) has sent a \(format.title), \(Self.title(turn))."
        guard try await confirm(what, "Add it to your maps?") else { return Self.no }
        let importer = MapImporter(store: store, person: TerminalPerson(console))
        let stored = try await OwnThread.run { try importer.add(importer.prepareSealed(file), of: file) }
        // What the maps of the laptop are called is not the business of who has sent the file.
        guard stored.isNew else { return .added("The laptop has this map already.") }
        return .added("The laptop has the map now: “\(stored.region.name)”.")
    }

    private func takeRouting(
        _ routing: PreparedRouting,
        _ file: InputFile,
        _ turn: UploadQueue.Turn
    ) async throws -> UploadQueue.State {
        let what: DisplayText = "A phone (\(turn.client)) has sent a routing database, \(Self.title(turn))."
        if routing.isKnown { return .added("The laptop has this routing database already.") }
        let name = DisplayText(quoting: routing.region.name)
        let question: DisplayText =
            routing.region.hasRoutingData ? "\(name) has a routing database. Replace it?" : "Add it to \(name)?"
        guard try await confirm(what, question) else { return Self.no }
        let region = try await OwnThread.run { try routing.store() }
        console.emit(ImportedRouting(file: file.path, region: region, isNew: true))
        return .added("The laptop has it now.")
    }

    private func takePhoto(_ file: InputFile, _ turn: UploadQueue.Turn) async throws -> UploadQueue.State {
        let (store, console, id) = (store, console, region.id)
        let found = try await OwnThread.run {
            try PhotoImporter(store: store, regionID: id, person: TerminalPerson(console)).places()
                .places(ofPhotoAt: file.location, called: file.path)
        }
        guard let place = found.first, found.count == 1 else {
            return .unusable(
                found.isEmpty
                    ? """
                    This photo has no position within 100 m of a waypoint of “\(region.name)”, and no waypoint has its \
                    name. Rename it to the name of its waypoint, and send it again.
                    """
                    : """
                    Several waypoints of “\(region.name)” have the name of this photo. Ask the person at the laptop to \
                    add it.
                    """
            )
        }
        let label = DisplayText(quoting: place.waypoint.label)
        let isReplacing = place.waypoint.hasPhoto
        let question: DisplayText =
            isReplacing ? "\(label) has a photo. Replace it?" : "Add it as the photo of \(label)?"
        let what: DisplayText =
            """
            A phone (\(turn.client)) has sent a photo of \(label) in \(DisplayText(quoting: region.name)), \
            \(Self.title(turn)).
            """
        guard try await confirm(what, question) else { return Self.no }
        let importer = PhotoImporter(
            store: store,
            regionID: id,
            isReplacing: isReplacing,
            person: TerminalPerson(console)
        )
        try await OwnThread.run {
            try importer.add(file, to: place.waypoint.id, place.waypoint.label, in: place.region)
        }
        return .added("The laptop has it now: the photo of “\(place.waypoint.label)”.")
    }

    // MARK: Words

    private static let no = UploadQueue.State.refused("The person at the laptop said no.")

    private func confirm(
        _ introduction: DisplayText,
        _ question: DisplayText,
        within time: Duration = longPatience
    ) async throws -> Bool {
        let answer = try await console.confirmGivingWay(introduction: introduction, question, within: time)
        guard let answer else { throw NoAnswer() }
        return answer
    }

    private static func name(_ turn: UploadQueue.Turn) -> DisplayText { DisplayText(quoting: turn.name) }

    private static func title(_ turn: UploadQueue.Turn) -> DisplayText { "\(name(turn)), \(Wording.size(turn.size))" }

    /// The question about a file of tracks: it says so if items would change.
    static func question(about expected: GPXImport) -> DisplayText {
        let changed = [expected.hikes, expected.plannedRoutes, expected.waypoints].reduce(0) { $0 + $1.updated }
        let change: DisplayText = changed > 0 ? ", and change \(Wording.count(changed, "item")) that it has" : ""
        return "Add this to \(DisplayText(quoting: expected.region.name))\(change)?"
    }

    /// What a file of tracks contains, for the question.
    static func introduction(
        _ document: GPXDocument,
        from client: String,
        to region: RegionSummary
    ) -> DisplayText {
        let counts = [
            (document.savedRoutes.count, "hike"), (document.plannedRoutes.count, "planned route"),
            (document.waypoints.count, "waypoint"),
        ]
        let words = Wording.list(counts.filter { $0.0 > 0 }.map { Wording.count($0.0, $0.1) })
        let limit = shownNames + 1
        let names =
            document.savedRoutes.prefix(limit).map(\.name) + document.plannedRoutes.prefix(limit).map(\.name)
            + document.waypoints.prefix(limit).map(\.label)
        let shown = names.prefix(shownNames).map { DisplayText(quoting: $0) }.joined(separator: ", ")
        let more: DisplayText = names.count > shownNames ? " …" : ""
        let damage: DisplayText = document.damage.map { "\nThe file \($0.words)" } ?? ""
        let place: DisplayText =
            document.isOutside(region)
            ? "\nMost of it is outside the area of \(DisplayText(quoting: region.name))." : ""
        return "A phone (\(client)) has sent \(words): \(shown)\(more)\(damage)\(place)"
    }
}
