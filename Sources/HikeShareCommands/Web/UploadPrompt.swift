import FoundationEssentials
import MapPages
import PeerCore
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
    var console: Console
    /// How long a question waits for an answer.
    var patience: Duration = .seconds(60)

    /// Decides on files until the task is cancelled.
    func follow(_ queue: UploadQueue) async {
        for await turn in queue.turns {
            guard let state = await decide(on: turn) else {
                queue.allow(turn.number)
                continue
            }
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
    }

    /// Returns what becomes of a file; nil if it may come.
    private func decide(on turn: UploadQueue.Turn) async -> UploadQueue.State? {
        do {
            if let file = turn.file { return try await decide(on: file, turn) }
            let what: DisplayText = "A phone (\(turn.client)) wants to send \(Self.title(turn))."
            return try await confirm(what, "Take it? What is in it is shown before it is added.") ? nil : Self.no
        } catch is NoAnswer {
            return .unanswered("The person at the laptop did not answer. Ask them, then send the file again.")
        } catch let error as RegionStoreError {
            // The person who has sent the file can do something about it. The path on this disk is not their business.
            let words = [error.message, error.remedy].compactMap { $0 }.joined(separator: " ")
            return .unusable(turn.file.map { words.replacing($0.path, with: "The file") } ?? words)
        } catch let error as CommandError {
            return .unusable(error.message)
        } catch {
            return .unanswered("The laptop could not add the file. Ask the person there, then send it again.")
        }
    }

    private func decide(on uploaded: UploadedFile, _ turn: UploadQueue.Turn) async throws -> UploadQueue.State {
        let file = try InputFile(lookingAt: turn.name, at: uploaded.path)
        return switch file.kind {
        case .tracks: try await takeTracks(uploaded, turn)
        case .map: try await takeMap(file, turn)
        case .routing: try await takeRouting(file, turn)
        case .photo: try await takePhoto(file, turn)
        case .other: .unusable("Files of this kind cannot be added.")
        }
    }

    // MARK: The kinds of files

    private func takeTracks(_ file: UploadedFile, _ turn: UploadQueue.Turn) async throws -> UploadQueue.State {
        let document = try await OwnThread.run {
            try TrackFileReader(limits: .upload).read(file.file, named: turn.name)
        }
        let what = Self.introduction(document, from: turn.client, to: region)
        guard try await confirm(what, "Add this to \(DisplayText(quoting: region.name))?") else { return Self.no }
        let (store, id) = (store, region.id)
        let imported = try await OwnThread.run { try store.importGPX(document, into: id) }
        console.emit(GPXImportReport(file: turn.name, imported: imported))
        return .added("The laptop has it now.")
    }

    private func takeMap(_ file: InputFile, _ turn: UploadQueue.Turn) async throws -> UploadQueue.State {
        let importer = MapImporter(store: store, console: console)
        let map = try await OwnThread.run { try importer.prepare(file) }
        if let known = try map.knownRegion() { return .added("The laptop has this map already: “\(known.name)”.") }
        let sent: DisplayText =
            """
            A phone (\(turn.client)) has sent a map, \(Self.title(turn)): \(DisplayText(quoting: map.name)), \
            \(Wording.extent(map.boundingBox)).
            """
        let (console, patience) = (console, patience)
        // The text above the question quotes the name of the file. Unquoted, a name could pass for words of the program.
        let update = MapUpdate(map: map, file: "The file", console: console) { what, question in
            let answer = try await console.askGivingWay(introduction: "\(sent)\n\(what)", question, within: patience)
            guard let answer else { throw NoAnswer() }
            return answer
        }
        let decision: MapUpdate.Decision
        if try map.olderVersion() == nil {
            decision = try await confirm(sent, "Add it to your maps?") ? .add(name: nil) : .leaveOut
        } else {
            decision = try await update.decide()
        }
        let stored = try await OwnThread.run { try importer.add(map, of: file, decision) }
        return stored.map { .added("The laptop has the map now: “\($0.region.name)”.") } ?? Self.no
    }

    private func takeRouting(_ file: InputFile, _ turn: UploadQueue.Turn) async throws -> UploadQueue.State {
        let what: DisplayText = "A phone (\(turn.client)) has sent a routing database, \(Self.title(turn))."
        guard try await confirm(what, "Add it to the map of its area?") else { return Self.no }
        let store = store
        let (region, isNew) = try await OwnThread.run {
            try store.importRouting(at: file.location, called: file.path, beside: [:])
        }
        console.emit(RoutingImportReport(file: file.path, region: region, isNew: isNew))
        return .added("The laptop has it now.")
    }

    private func takePhoto(_ file: InputFile, _ turn: UploadQueue.Turn) async throws -> UploadQueue.State {
        let (store, console, id) = (store, console, region.id)
        let found = try await OwnThread.run {
            try PhotoImporter(store: store, regionID: id, console: console).places()
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
        let importer = PhotoImporter(store: store, regionID: id, replacing: isReplacing, console: console)
        try await OwnThread.run {
            try importer.add(file, to: place.waypoint.id, place.waypoint.label, in: place.region)
        }
        return .added("The laptop has it now: the photo of “\(place.waypoint.label)”.")
    }

    // MARK: Words

    private static let no = UploadQueue.State.refused("The person at the laptop said no.")

    private func confirm(_ introduction: DisplayText, _ question: DisplayText) async throws -> Bool {
        let answer = try await console.confirmGivingWay(introduction: introduction, question, within: patience)
        guard let answer else { throw NoAnswer() }
        return answer
    }

    private static func name(_ turn: UploadQueue.Turn) -> DisplayText { DisplayText(quoting: turn.name) }

    private static func title(_ turn: UploadQueue.Turn) -> DisplayText { "\(name(turn)), \(Wording.size(turn.size))" }

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
        let place: DisplayText =
            document.isOutside(region)
            ? "\nMost of it is outside the area of \(DisplayText(quoting: region.name))." : ""
        return "A phone (\(client)) has sent \(words): \(shown)\(more)\(place)"
    }
}
