import MapPages
import PeerCore
import RegionSharing
import RegionStore
import TrackFiles

/// Decides on the files that phones send, with a person, and imports them.
struct UploadDecider: Sendable {
    /// There was no answer in time.
    private struct NoAnswer: Error {}

    var region: RegionSummary
    var store: RegionStore
    /// The id of this machine.
    var ownID: PeerID
    var desk = UploadDesk()
    var person: any Person

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
        case .unusable where isWorthANote: tell(.unusable(turn.described))
        case .unanswered: tell(.unanswered(turn.described))
        default: break
        }
    }

    /// Returns what becomes of a file; nil if it may come.
    private func decide(on turn: UploadQueue.Turn) async -> UploadQueue.State? {
        do {
            if let file = turn.file { return try await decide(on: file, turn) }
            return try await confirm(.comes, turn) ? nil : Self.no
        } catch is NoAnswer {
            return .unanswered("The person at the laptop did not answer. Ask them, then send the file again.")
        } catch let error as RegionStoreError where error.code != .storage {
            // The person who has sent the file can do something about it. The path on this disk is not their business.
            let remedy = error.cause is UnknownFileKind ? "Choose a map, a track file or a photo." : error.remedy
            let words = [error.message, remedy].compactMap { $0 }.joined(separator: " ")
            return .unusable(turn.file.map { words.replacing($0.path, with: "The file") } ?? words)
        } catch is CancellationError {
            return .unanswered("The laptop takes no more files.")
        } catch {
            tell(.failed(turn.described, error))
            return .failed("The laptop could not add the file. Its screen says why.")
        }
    }

    private func decide(on uploaded: UploadedFile, _ turn: UploadQueue.Turn) async throws -> UploadQueue.State {
        let file = try InputFile(lookingAt: turn.name, at: uploaded.path)
        switch file.kind {
        case .map:
            let (store, person, described) = (store, person, turn.described)
            let map = try await examine(file, turn) { work in
                defer { person.tell(.phones(.examining(described, nil))) }
                return try store.prepareMap(at: file.location, called: file.path, by: work) {
                    person.tell(.phones(.examining(described, $0)))
                }
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
        guard try await desk.decide({ try await confirm(.examination(cost), turn) }) else { return nil }
        return try await desk.examineAgreed(body)
    }

    // MARK: The kinds of files

    private func takeTracks(_ file: UploadedFile, _ turn: UploadQueue.Turn) async throws -> UploadQueue.State {
        let document = try await OwnThread.run {
            try TrackFileReader(limits: .upload).read(file.file, named: turn.name)
        }
        let (store, id) = (store, region.id)
        let expected = try await OwnThread.run { try store.expectedImport(of: document, into: id) }
        guard try await confirm(.tracks(document, expected), turn) else { return Self.no }
        let imported = try await OwnThread.run { try store.importGPX(document, into: id) }
        person.tell(.importing(.tracks(ImportedTracks(file: turn.name, imported: imported))))
        return .added("The laptop has it now.")
    }

    private func takeMap(
        _ map: PreparedMap,
        _ file: InputFile,
        _ turn: UploadQueue.Turn
    ) async throws -> UploadQueue.State {
        let importer = MapImporter(store: store, person: person)
        if try map.knownRegion() != nil { return .added("The laptop has this map already.") }
        var decision = MapReplacement.Decision.leaveOut
        if let local = try map.olderVersion() {
            let facts = ImportedMapFacts(map)
            let replacement = try MapReplacement(turn.name, facts, of: local, ownID: ownID, in: store)
            let question = PhoneMapQuestion(turn.described, name: map.name, area: map.boundingBox, replacement)
            guard let answer = try await person.ask(question) else { throw NoAnswer() }
            decision = answer
        } else if try await confirm(.map(name: map.name, area: map.boundingBox), turn) {
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
        guard try await confirm(.sealedMap(format), turn) else { return Self.no }
        let importer = MapImporter(store: store, person: person)
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
        if routing.isKnown { return .added("The laptop has this routing database already.") }
        guard try await confirm(.routing(routing.region), turn) else { return Self.no }
        let region = try await OwnThread.run { try routing.store() }
        person.tell(.importing(.routing(ImportedRouting(file: file.path, region: region, isNew: true))))
        return .added("The laptop has it now.")
    }

    private func takePhoto(_ file: InputFile, _ turn: UploadQueue.Turn) async throws -> UploadQueue.State {
        let (store, person, id) = (store, person, region.id)
        let found = try await OwnThread.run {
            try PhotoImporter(store: store, regionID: id, person: person).places()
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
        guard try await confirm(.photo(place.waypoint, region), turn) else { return Self.no }
        let isReplacing = place.waypoint.hasPhoto
        let importer = PhotoImporter(store: store, regionID: id, isReplacing: isReplacing, person: person)
        try await OwnThread.run {
            try importer.add(file, to: place.waypoint.id, place.waypoint.label, in: place.region)
        }
        return .added("The laptop has it now: the photo of “\(place.waypoint.label)”.")
    }

    // MARK: The person

    private static let no = UploadQueue.State.refused("The person at the laptop said no.")

    private func tell(_ happening: PhoneHappening) { person.tell(.phones(happening)) }

    private func confirm(_ matter: PhoneFileQuestion.Matter, _ turn: UploadQueue.Turn) async throws -> Bool {
        guard let answer = try await person.ask(PhoneFileQuestion(turn.described, matter)) else { throw NoAnswer() }
        return answer
    }
}

extension UploadQueue.Turn {
    fileprivate var described: PhoneFile { PhoneFile(client: client, name: name, size: size) }
}
