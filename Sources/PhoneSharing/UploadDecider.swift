import MapPages
import PeerCore
import RegionSharing
import RegionStore
import Sentences
import TrackFiles

/// Decides on the files that phones send, with a person, and imports them.
struct UploadDecider: Sendable {
    /// There was no answer in time.
    private struct NoAnswer: Error {}

    /// A file cannot be used.
    private struct Unusable: Error { var words: Sentence }

    /// The region to which tracks and photos are added; nil for those on whose maps they lie.
    var region: RegionSummary?
    var store: RegionStore
    /// The id of this machine.
    var ownID: PeerID
    var desk = UploadDesk()
    var person: any Person

    /// Decides on files until the task is cancelled.
    func follow(_ queue: UploadQueue) async {
        await withDiscardingTaskGroup { group in
            for await question in queue.questions { group.addTask { await follow(question, of: queue) } }
        }
    }

    private func follow(_ question: UploadQueue.Question, of queue: UploadQueue) async {
        guard let state = await decide(on: question) else { return queue.allow(question.upload.number) }
        let isWorthANote = queue.finish(question.upload.number, state)
        switch state {
        case .unusable where isWorthANote: tell(.unusable(question.described))
        case .unanswered: tell(.unanswered(question.described))
        default: break
        }
    }

    /// Returns what becomes of a file; nil if its upload is allowed.
    private func decide(on question: UploadQueue.Question) async -> UploadQueue.State? {
        let described = question.described
        guard let file = question.file else {
            return await settle(described) { try await confirm(.comes, described) ? nil : Self.no }
        }
        return await decide(on: file, described)
    }

    /// Returns what becomes of a file that has come.
    func decide(on file: UploadedFile, _ sent: PhoneFile) async -> UploadQueue.State {
        await settle(sent, at: file.path) { try await decision(on: file, sent) } ?? Self.no
    }

    /// Returns what a decision on a file makes of it, also if there is none.
    ///
    /// - Parameter path: The path of the file, which no words must have.
    func settle(
        _ sent: PhoneFile,
        at path: String? = nil,
        _ decision: () async throws -> UploadQueue.State?
    ) async -> UploadQueue.State? {
        do {
            return try await decision()
        } catch is NoAnswer {
            return .unanswered("The person at the laptop did not answer. Ask them, then send the file again.")
        } catch let unusable as Unusable {
            return .unusable(unusable.words)
        } catch let error as RegionStoreError where error.code != .storage {
            // The person who has sent the file can do something about it. The path on this disk is not their business.
            let remedy = error.cause is UnknownFileKind ? "Choose a map, a track file or a photo." : error.remedy
            let words = [error.message, remedy].compactMap { $0 }.joined(separator: " ")
            let unknown = Sentence(
                """
                \(sent.name) is not a map (.mbtiles, .pmtiles, .sqlitedb, .gpkg, .obf, .map, .img, .mwm), a track file \
                (\(TrackFormat.names)) or a photo. Choose a map, a track file or a photo.
                """
            )
            if words == unknown.english { return .unusable(unknown) }
            return .unusable(Sentence(known: path.map { words.replacing($0, with: "The file") } ?? words))
        } catch is CancellationError {
            return .unanswered("The laptop takes no more files.")
        } catch {
            tell(.failed(sent, error))
            return .failed("The laptop could not add the file. Its screen says why.")
        }
    }

    private func decision(on uploaded: UploadedFile, _ sent: PhoneFile) async throws -> UploadQueue.State {
        let file = try InputFile(lookingAt: sent.name, at: uploaded.path)
        switch file.kind {
        case .map:
            let (store, person) = (store, person)
            let map = try await examine(file, sent) { work in
                defer { person.tell(.phones(.examining(sent, nil))) }
                return try store.prepareMap(at: file.location, called: file.path, by: work) {
                    person.tell(.phones(.examining(sent, $0)))
                }
            }
            guard let map else { return Self.no }
            return try await desk.decide { try await takeMap(map, file, sent) }
        case .routing:
            let store = store
            let routing = try await examine(file, sent) {
                try store.prepareRouting(at: file.location, called: file.path, beside: [:], by: $0)
            }
            guard let routing else { return Self.no }
            return try await desk.decide { try await takeRouting(routing, file, sent) }
        case .tracks: return try await desk.decide { try await takeTracks(uploaded, sent) }
        case .foreign(let format): return try await desk.decide { try await takeForeign(file, format, sent) }
        case .photo: return try await desk.decide { try await takePhoto(file, sent) }
        case .other: return .unusable("Files of this kind cannot be added.")
        }
    }

    /// Examines a database; nil if that takes long, and the person says no.
    ///
    /// What it takes is asked of its header first. A file that takes longer than it says is not examined to the end unasked.
    private func examine<Result: Sendable>(
        _ file: InputFile,
        _ sent: PhoneFile,
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
        guard try await desk.decide({ try await confirm(.examination(cost), sent) }) else { return nil }
        return try await desk.examineAgreed(body)
    }

    // MARK: The kinds of files

    private func takeTracks(_ file: UploadedFile, _ sent: PhoneFile) async throws -> UploadQueue.State {
        let document = try await tracks(in: file, sent)
        let expected = try await expectedImport(of: document, sent)
        guard try await confirm(.tracks(document, expected), sent) else { return Self.no }
        return try await add(document, sent)
    }

    /// Reads a file of tracks.
    func tracks(in file: UploadedFile, _ sent: PhoneFile) async throws -> TrackDocument {
        try await OwnThread.run { try TrackFileReader(limits: .upload).read(file.file, named: sent.name) }
    }

    /// Returns what the import of tracks would do.
    func expectedImport(of document: TrackDocument, _ sent: PhoneFile) async throws -> GPXImport {
        let (store, id) = (store, region?.id)
        do {
            return try await OwnThread.run { try store.expectedImport(of: document, called: sent.name, into: id) }
        } catch var error as RegionStoreError where error.code == .notFound && id == nil {
            error.remedy = "Send the map of that area, and then this file again."
            throw error
        }
    }

    /// Adds tracks, and tells of it.
    func add(_ document: TrackDocument, _ sent: PhoneFile) async throws -> UploadQueue.State {
        let (store, id) = (store, region?.id)
        let imported = try await OwnThread.run { try store.importGPX(document, called: sent.name, into: id) }
        for part in ImportedTracks.all(imported, of: sent.name) { person.tell(.importing(.tracks(part))) }
        return .added("The laptop has it now.")
    }

    private func takeMap(_ map: PreparedMap, _ file: InputFile, _ sent: PhoneFile) async throws -> UploadQueue.State {
        let importer = MapImporter(store: store, person: person)
        if let region = try map.knownRegion() {
            importer.tellOfKnown(file, region)
            return .added("The laptop has this map already.")
        }
        var decision = MapReplacement.Decision.leaveOut
        if let local = try map.olderVersion() {
            let facts = ImportedMapFacts(map)
            let replacement = try MapReplacement(sent.name, facts, of: local, ownID: ownID, in: store)
            let asked = PhoneMapQuestion(sent, name: map.name, area: map.boundingBox, replacement)
            guard let answer = try await person.ask(asked) else { throw NoAnswer() }
            decision = answer
        } else if try await confirm(.map(name: map.name, area: map.boundingBox), sent) {
            decision = .add(name: nil)
        }
        let result = decision
        let stored = try await OwnThread.run { try importer.add(map, of: file, result) }
        return stored.map { Self.added($0.region.name) } ?? Self.no
    }

    private func takeForeign(
        _ file: InputFile,
        _ format: ForeignFormat,
        _ sent: PhoneFile
    ) async throws -> UploadQueue.State {
        guard try await confirm(.foreignMap(format), sent) else { return Self.no }
        let importer = MapImporter(store: store, person: person)
        let stored = try await OwnThread.run { try importer.add(importer.prepareForeign(file), of: file) }
        // What the maps of the laptop are called is not the business of who has sent the file.
        guard stored.isNew else { return .added("The laptop has this map already.") }
        return Self.added(stored.region.name)
    }

    private func takeRouting(
        _ routing: PreparedRouting,
        _ file: InputFile,
        _ sent: PhoneFile
    ) async throws -> UploadQueue.State {
        if routing.isKnown {
            let known = ImportedRouting(file: file.path, region: routing.region, isNew: false)
            person.tell(.importing(.routing(known)))
            return .added("The laptop has this routing database already.")
        }
        guard try await confirm(.routing(routing.region), sent) else { return Self.no }
        let region = try await OwnThread.run { try routing.store() }
        person.tell(.importing(.routing(ImportedRouting(file: file.path, region: region, isNew: true))))
        return .added("The laptop has it now.")
    }

    private func takePhoto(_ file: InputFile, _ sent: PhoneFile) async throws -> UploadQueue.State {
        let places = try await OwnThread.run { [self] in try photoPlaces() }
        let place = try await OwnThread.run { [self] in try self.place(of: file, among: places) }
        if let known = try await known(file, of: place) { return known }
        guard try await confirm(.photo(place.waypoint, place.region), sent) else { return Self.no }
        return try await add(file, to: place)
    }

    /// Reads the waypoints to which photos may belong.
    func photoPlaces() throws -> PhotoPlaces {
        try PhotoImporter(store: store, regionID: region?.id, person: person).places()
    }

    /// Finds the waypoint that a photo shows.
    ///
    /// - Throws: An error that says so if there is none, or it is not clear.
    func place(of file: InputFile, among places: PhotoPlaces) throws -> PhotoPlaces.Place {
        let found = places.places(ofPhotoAt: file.location, called: file.path)
        if let place = found.first, found.count == 1 { return place }
        throw Unusable(words: region.map { Self.noPlace(in: $0.name, found.isEmpty) } ?? Self.noPlace(found.isEmpty))
    }

    /// Says why a photo does not belong to a waypoint of a region.
    private static func noPlace(in region: String, _ isNowhere: Bool) -> Sentence {
        isNowhere
            ? Sentence(
                """
                This photo has no position within 100 m of a waypoint of “\(region)”, and no waypoint has its name. \
                Rename it to the name of its waypoint, and send it again.
                """
            )
            : Sentence(
                """
                Several waypoints of “\(region)” have the name of this photo. Ask the person at the laptop to add it.
                """
            )
    }

    /// Says why a photo does not belong to a waypoint of any map.
    private static func noPlace(_ isNowhere: Bool) -> Sentence {
        isNowhere
            ? Sentence(
                """
                This photo has no position within 100 m of a waypoint of your maps, and no waypoint has its name. \
                Rename it to the name of its waypoint, and send it again.
                """
            ) : Sentence("Several waypoints of your maps have the name of this photo. Add it yourself.")
    }

    /// Returns what becomes of a photo that its waypoint has already, and tells of it; nil if it is another one.
    func known(_ file: InputFile, of place: PhotoPlaces.Place) async throws -> UploadQueue.State? {
        guard place.waypoint.hasPhoto else { return nil }
        // An import that may not replace a photo finds that it is the same, or fails.
        let importer = PhotoImporter(store: store, regionID: place.region.id, person: person)
        do {
            try await OwnThread.run {
                try importer.add(file, to: place.waypoint.id, place.waypoint.label, in: place.region)
            }
            return .added("The laptop has this photo already.")
        } catch let error as RegionStoreError where error.code == .conflict {
            return nil
        }
    }

    /// Adds a photo to its waypoint, in the place of the one that the waypoint has, and tells of it.
    func add(_ file: InputFile, to place: PhotoPlaces.Place) async throws -> UploadQueue.State {
        let importer = PhotoImporter(
            store: store,
            regionID: place.region.id,
            isReplacing: place.waypoint.hasPhoto,
            person: person
        )
        try await OwnThread.run {
            try importer.add(file, to: place.waypoint.id, place.waypoint.label, in: place.region)
        }
        let waypoint = place.waypoint.label
        return .added("The laptop has it now: the photo of “\(waypoint)”.")
    }

    // MARK: The person

    static let no = UploadQueue.State.refused("The person at the laptop said no.")

    private static func added(_ map: String) -> UploadQueue.State { .added("The laptop has the map now: “\(map)”.") }

    private func tell(_ happening: PhoneHappening) { person.tell(.phones(happening)) }

    private func confirm(_ matter: PhoneFileQuestion.Matter, _ sent: PhoneFile) async throws -> Bool {
        try await answer(to: PhoneFileQuestion(sent, matter))
    }

    /// Asks a question; no answer ends the decision.
    func answer<Asked: Question>(to question: Asked) async throws -> Bool where Asked.Answer == Bool? {
        guard let answer = try await person.ask(question) else { throw NoAnswer() }
        return answer
    }
}

extension UploadQueue.Question {
    fileprivate var described: PhoneFile { PhoneFile(client: upload.client, name: upload.name, size: upload.size) }
}
