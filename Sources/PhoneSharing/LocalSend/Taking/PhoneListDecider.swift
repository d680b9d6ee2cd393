import FoundationEssentials
import MapPages
import RegionSharing
import RegionStore
import Sentences
import TrackFiles

/// Decides on the files of a list to which a person has agreed, with that person, and imports them.
///
/// Maps and routing databases are decided on as they come. Tracks and photos are decided on together after them, when the list is
/// complete: a phone sends hundreds of photos at once.
struct PhoneListDecider: Sendable {
    /// What became of a list.
    struct Result: Sendable {
        /// The files that cannot be used, and why.
        var leftOut: [PhoneLeftOut] = []
        /// Whether a person has said no.
        var isRefused = false
        /// Whether something was added.
        var isAdded = false

        mutating func note(_ state: UploadQueue.State, of file: PhoneFile) {
            switch state {
            case .unusable(let reason): leftOut.append(PhoneLeftOut(file, reason.english))
            case .refused: isRefused = true
            case .added: isAdded = true
            case .asked, .receiving, .waiting, .unanswered, .failed: break
            }
        }
    }

    var decider: UploadDecider
    var phone: LocalSendPhone

    /// Decides on files as they come.
    func decide(on files: AsyncStream<TakenFile>) async -> Result {
        await withTaskGroup(of: (UploadQueue.State, PhoneFile).self) { group in
            var together: [TakenFile] = []
            for await file in files {
                switch (try? InputFile(lookingAt: file.sent.name, at: file.file.path))?.kind {
                case .tracks, .photo: together.append(file)
                default: group.addTask { (await decider.decide(on: file.file, file.sent), file.sent) }
                }
            }
            var result = Result()
            // The tracks may lie on a map that comes with them.
            for await (state, file) in group {
                result.note(state, of: file)
                if case .unanswered = state { decider.person.tell(.phones(.unanswered(file))) }
            }
            return await decide(onAll: together, result)
        }
    }

    /// What would be added, as far as files can be used.
    fileprivate struct Plan {
        var tracks: [TakenFile] = []
        /// The photos of waypoints that have none, and of those that have one.
        var photos: [(file: TakenFile, place: PhotoPlaces.Place)] = []
        var replacing: [(file: TakenFile, place: PhotoPlaces.Place)] = []
        /// The photos for which there is no waypoint, and what becomes of them if none comes.
        var unplaced: [(file: TakenFile, state: UploadQueue.State)] = []
        /// The waypoints that get a photo.
        var waypoints: Set<[UUID]> = []
        var question: PhoneListQuestion
        var result = Result()

        var files: [TakenFile] { tracks + (photos + replacing).map(\.file) }
    }

    /// Decides on tracks and photos together.
    private func decide(onAll files: [TakenFile], _ before: Result) async -> Result {
        guard files.count > 1 else { return await decide(onEach: files, before) }
        var (result, rest) = (before, files)
        while true {
            let (open, noted) = (rest, result)
            let decided = try? await decider.desk.decide { () async throws -> Plan in
                var plan = await examine(open, noted)
                // A single one is asked about with all that can be said of it.
                if plan.files.count > 1 { await settle(&plan) }
                return plan
            }
            guard let plan = decided else { return result }
            result = plan.files.count > 1 ? plan.result : await decide(onEach: plan.files, plan.result)
            rest = plan.unplaced.map(\.file)
            // Photos may show waypoints that have come with them.
            guard result.isAdded, !plan.tracks.isEmpty, !rest.isEmpty else {
                for (file, state) in plan.unplaced { result.note(state, of: file.sent) }
                return result
            }
        }
    }

    private func decide(onEach files: [TakenFile], _ before: Result) async -> Result {
        var result = before
        for file in files { result.note(await decider.decide(on: file.file, file.sent), of: file.sent) }
        return result
    }

    // MARK: What is in the files

    private func examine(_ files: [TakenFile], _ before: Result) async -> Plan {
        var plan = Plan(question: PhoneListQuestion(phone), result: before)
        var regions: [UUID: RegionSummary] = [:]
        var places: PhotoPlaces?
        for file in files {
            var isPlaced = true
            let state = await decider.settle(file.sent, at: file.file.path) {
                let input = try InputFile(lookingAt: file.sent.name, at: file.file.path)
                if input.kind == .photo {
                    isPlaced = false
                    let known = if let places { places } else { try await OwnThread.run { try decider.photoPlaces() } }
                    places = known
                    let place = try await OwnThread.run { try decider.place(of: input, among: known) }
                    isPlaced = true
                    if let state = try await decider.known(input, of: place) { return state }
                    try plan.add(file, of: place)
                    regions[place.region.id] = place.region
                } else {
                    for region in try await addTracks(file, to: &plan) { regions[region.id] = region }
                }
                return nil
            }
            guard let state else { continue }
            if isPlaced { plan.result.note(state, of: file.sent) } else { plan.unplaced.append((file, state)) }
        }
        plan.question.photos = plan.photos.count
        plan.question.regions = regions.values.sorted { ($0.name, $0.id.uuidString) < ($1.name, $1.id.uuidString) }
        return plan
    }

    /// Counts what is in a file of tracks; returns the regions to which it would be added.
    private func addTracks(_ file: TakenFile, to plan: inout Plan) async throws -> [RegionSummary] {
        let document = try await decider.tracks(in: file.file, file.sent)
        let expected = try await decider.expectedImport(of: document, file.sent)
        plan.tracks.append(file)
        plan.question.trackFiles += 1
        plan.question.hikes += document.savedRoutes.count
        plan.question.plannedRoutes += document.plannedRoutes.count
        plan.question.waypoints += document.waypoints.count
        plan.question.outside += expected.outside.count
        let parts = [expected] + expected.elsewhere
        plan.question.changes += parts.reduce(0) { $0 + $1.changes }
        return parts.map(\.region)
    }

    // MARK: The decision

    private func settle(_ plan: inout Plan) async {
        if !plan.tracks.isEmpty || !plan.photos.isEmpty {
            guard let isAgreed = await ask(plan.question, plan) else { return }
            guard isAgreed else {
                plan.result.isRefused = true
                return
            }
            for file in plan.tracks {
                let state = await decider.settle(file.sent, at: file.file.path) {
                    try await decider.add(try await decider.tracks(in: file.file, file.sent), file.sent)
                }
                if let state { plan.result.note(state, of: file.sent) }
            }
            await add(plan.photos, &plan)
        }
        guard !plan.replacing.isEmpty else { return }
        var question = PhoneListQuestion(phone)
        (question.photos, question.isReplacing) = (plan.replacing.count, true)
        guard await ask(question, plan) == true else { return }
        await add(plan.replacing, &plan)
    }

    private func add(_ photos: [(file: TakenFile, place: PhotoPlaces.Place)], _ plan: inout Plan) async {
        for (file, place) in photos {
            let state = await decider.settle(file.sent, at: file.file.path) {
                try await decider.add(try InputFile(lookingAt: file.sent.name, at: file.file.path), to: place)
            }
            if let state { plan.result.note(state, of: file.sent) }
        }
    }

    /// Asks about several files; returns nil without an answer, of which a person is told.
    private func ask(_ question: PhoneListQuestion, _ plan: Plan) async -> Bool? {
        guard let first = plan.files.first else { return nil }
        var answer: Bool?
        let state = await decider.settle(first.sent) {
            answer = try await decider.answer(to: question)
            return nil
        }
        if case .unanswered = state { decider.person.tell(.phones(.unanswered(first.sent))) }
        return answer
    }
}

extension PhoneListDecider.Plan {
    /// Notes a photo, if it is the first one of its waypoint.
    fileprivate mutating func add(_ file: TakenFile, of place: PhotoPlaces.Place) throws {
        guard waypoints.insert([place.region.id, place.waypoint.id]).inserted else {
            throw RegionStoreError(
                .conflict,
                "Another one of these photos is of the same waypoint, “\(place.waypoint.label)”.",
                remedy: "Send it alone to add it in the place of the other one."
            )
        }
        if place.waypoint.hasPhoto { replacing.append((file, place)) } else { photos.append((file, place)) }
    }
}
