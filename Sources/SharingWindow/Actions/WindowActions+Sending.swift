import FoundationEssentials
import MapPages
import PeerCore
import RegionStore
import SharingReports
import WebServer

extension WindowActions {
    /// A wish that no page of this program has.
    private struct Fault: Error {}

    /// What a page says of what to send.
    private struct Wish: Decodable {
        var regions: [String]?
        /// Whether all regions are sent.
        var all: Bool?
        var kinds: [String]?
        /// The keys of hikes and planned routes.
        var lines: [String]?
        var health: Bool?
        var photoDetails: Bool?
        var outside: Bool?
        var part: PartChoice?
        var hotspot: Bool?
        var web: Bool?
        /// The name of a drive, instead of the network.
        var drive: String?
        /// Whether anyone with the link of the drive can open it.
        var anyone: Bool?
    }

    /// Giving regions to others.
    var sending: [String: AppWindowAction] {
        struct Drive: Decodable {
            var drive: String
            var link: String?
        }
        return [
            "send": AppWindowAction(Wish.self) { wish in
                guard let choice = try choice(of: wish) else { return Self.removed }
                guard let drive = wish.drive else {
                    // What is sent takes the place of what listens to phones.
                    guard !desk.window.phones.areSending else { return Self.phonesAreSending }
                    return desk.begin(
                        SendingJob(
                            at: desk,
                            title: try choice.title("Sending", in: store),
                            choice,
                            makesNetwork: wish.hotspot ?? false,
                            hasPage: wish.web ?? false
                        )
                    )
                }
                guard let folder = desk.surroundings.drives.drive(named: drive)?.path else { return Self.noDrive }
                return desk.begin(
                    StickSendingJob(
                        at: desk,
                        title: try choice.title("Writing", in: store),
                        choice,
                        to: folder,
                        isForAnyone: wish.anyone ?? false
                    )
                )
            },
            "stick": AppWindowAction(Drive.self) { wish in
                guard let folder = desk.surroundings.drives.drive(named: wish.drive)?.path else { return Self.noDrive }
                let text = wish.link?.filter { !$0.isWhitespace } ?? ""
                let secret = StickSecret(text: text)
                guard text.isEmpty || secret != nil else {
                    return WebResponse(.badRequest, "This is not the link of a stick. It begins with “STICK:”.")
                }
                return desk.begin(StickReceivingJob(at: desk, from: folder, secret: secret))
            },
        ]
    }

    /// What can be read before something is sent.
    var sendingReadings: [String: AppWindowSite.Reading] {
        struct Size: Encodable {
            var tiles: Int
            var wholeTiles: Int
            var size: UInt64
            /// The sizes of what may go with it, in bytes.
            var routing: UInt64?
            var photos: UInt64
        }
        struct Drives: Encodable {
            var drives: [MountedDrives.Drive]
        }
        return [
            "contents": { rest in
                guard rest.count == 1, let region = region(rest[0]) else { return Self.removed }
                guard let contents = try? RegionContents(of: region, in: store) else { return Self.unreadable }
                return .json(contents, orSaying: Self.unreadableWords)
            },
            "part": { rest in
                guard let id = rest.first, let region = region(id) else { return Self.removed }
                guard let choice = PartChoice(path: Array(rest.dropFirst())) else { return AppWindowAction.invalid }
                do {
                    guard let part = try partSizes.part(choice, of: region, in: store) else {
                        return WebResponse(.conflict, "The map has too many tiles to say how large a part of it is.")
                    }
                    let size = Size(
                        tiles: part.tileCount,
                        wholeTiles: part.wholeTileCount,
                        size: part.size,
                        routing: region.routingSize,
                        photos: region.photoSize
                    )
                    return .json(size, orSaying: Self.unreadableWords)
                } catch let error as RegionStoreError {
                    return WebResponse(.conflict, ProblemReport(error).windowText.string)
                } catch {
                    return Self.unreadable
                }
            },
            "drives": { rest in
                guard rest.isEmpty else { return .notFound }
                return .json(Drives(drives: desk.surroundings.drives.list()), orSaying: "The drives cannot be listed.")
            },
        ]
    }

    private func region(_ text: String) -> RegionSummary? { UUID(uuidString: text).flatMap { try? store.region($0) } }

    /// Returns what a page asks for; nil if a region or a line is not there any more.
    private func choice(of wish: Wish) throws -> SendingChoice? {
        let regions = try wish.all == true ? store.regions() : (wish.regions ?? []).compactMap(region)
        guard !regions.isEmpty, wish.all == true || regions.count == wish.regions?.count else { return nil }
        var choice = SendingChoice(regions.map(\.id))
        choice.kinds = try wish.kinds.map { words in
            let kinds = words.compactMap { word in KindWords.all.first { $0.argument == word }?.kind }
            guard !kinds.isEmpty, kinds.count == words.count else { throw Fault() }
            return Set(kinds)
        }
        if let keys = wish.lines {
            let known = try regions.flatMap { try store.routes(of: $0) }
            choice.routes = Set(known.filter { keys.contains(ItemKey.text(of: $0.id)) }.map(\.id))
            guard !choice.routes.isEmpty || keys.isEmpty else { return nil }
        }
        choice.includesHealth = wish.health ?? false
        choice.includesPhotoDetails = wish.photoDetails ?? true
        choice.includesOutside = wish.outside ?? false
        guard wish.part == nil || regions.count == 1 else { throw Fault() }
        choice.part = wish.part
        return choice
    }

    /// The answer for a region that is not there any more.
    static let removed = WebResponse(.notFound, "This region was removed. Reload the page to see your regions.")
    private static let noDrive = WebResponse(.notFound, "This drive is not there any more. Put it in again.")
    private static let unreadableWords = "The region cannot be read."
    private static let unreadable = WebResponse(.failed, unreadableWords)
}
