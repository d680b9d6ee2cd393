import FoundationEssentials
import MapPages
import RegionSharing
import RegionStore
import SharingReports
import WebServer

extension WindowActions {
    /// The names and the removal of regions.
    var keeping: [String: AppWindowAction] {
        struct Name: Decodable {
            var region: String
            var name: String
        }
        struct Removal: Decodable {
            var region: String
            /// The state that the person has seen.
            var mark: String
        }
        return [
            "rename": AppWindowAction(Name.self) { sent in
                changing(sent.region) { store, region in
                    try store.rename(region.id, to: sent.name)
                    return PlainReport.renamed(region, to: sent.name).text
                }
            },
            "remove": AppWindowAction(Removal.self) { sent in
                changing(sent.region) { store, region in
                    let counts = try store.remove(region.id, asMarked: sent.mark)
                    let copies = desk.surroundings.removeCopies(region.id, false)
                    return PlainReport.removed(region, counts, exportedTo: nil, copies).text
                }
            },
        ]
    }

    /// Single hikes, planned routes and waypoints.
    var editing: [String: AppWindowAction] {
        struct Name: Decodable {
            var region: String
            var item: SeenItem
            var name: String
        }
        struct Removal: Decodable {
            var region: String
            var item: SeenItem
        }
        struct Place: Decodable {
            var region: String
            var latitude: Double
            var longitude: Double
            var label: String
            var note: String?
            var category: String?
        }
        return [
            "rename-item": AppWindowAction(Name.self) { sent in
                changing(sent.region) { store, region in
                    let item = try sent.item.found(in: region, of: store)
                    try store.rename(item, of: region.id, to: sent.name)
                    return PlainReport.renamed(item, of: region, to: sent.name).text
                }
            },
            "remove-item": AppWindowAction(Removal.self) { sent in
                changing(sent.region) { store, region in
                    let item = try sent.item.found(in: region, of: store)
                    try store.remove(item, of: region.id)
                    let copies = desk.surroundings.removeCopies(region.id, true)
                    return PlainReport.removed(item, from: region, copies).text
                }
            },
            "waypoint": AppWindowAction(Place.self) { sent in
                guard let place = Coordinate(latitude: sent.latitude, longitude: sent.longitude) else {
                    return AppWindowAction.invalid
                }
                return changing(sent.region) { store, region in
                    guard region.place.contains(place) else { throw Self.outside(region) }
                    let added = try store.addWaypoint(
                        named: sent.label,
                        at: place,
                        category: sent.category.flatMap(WaypointCategory.init(rawValue:)) ?? .custom,
                        note: sent.note ?? "",
                        to: region.id
                    )
                    return (PlainReport.added(added).text, ItemKey.text(of: added.waypoint.id))
                }
            },
        ]
    }

    private static func outside(_ region: RegionSummary) -> RegionStoreError {
        RegionStoreError(
            .invalidArgument,
            "This place is outside the map of “\(region.name)”, so no waypoint was added.",
            remedy: "Choose a place on the map."
        )
    }

    /// What pages read of a region, and before they change it.
    var regionReadings: [String: AppWindowSite.Reading] {
        [
            "export": export,
            "facts": { rest in reading(rest) { try facts($0) } },
            "care": { rest in
                reading(rest) { id in
                    let care = try RegionCare(id, in: store) { desk.makers(for: $0)[$1] != nil }
                    return .json(care, orSaying: Self.unreadable)
                }
            },
        ]
    }

    private static let unreadable = "This region cannot be read."
    /// The number of past transfers that are shown.
    private static let historyLength = 20

    private func facts(_ id: UUID) throws -> WebResponse {
        struct Facts: Encodable {
            var text: AppWindowText
            var drawing: AppWindowDrawing?
        }
        let region = try store.region(id)
        let maker = try store.maker(of: region.signature, ownID: store.ownID)
        let history = try store.history(limit: 1000).filter { $0.regionID == id }.prefix(Self.historyLength)
        // The name is above it.
        let details = AppWindowText(PlainReport.details(of: region, maker: maker).text).blocks.dropFirst()
        let transfers = AppWindowText(PlainReport.history(Array(history)).text).blocks
        let sketch = region.hasArea ? AreaSketch(place: region.place, outlines: try store.outlines(of: id)) : nil
        let facts = Facts(text: AppWindowText(details + transfers), drawing: sketch.flatMap { AppWindowDrawing($0) })
        return .json(facts, orSaying: Self.unreadable)
    }

    private func reading(_ rest: [String], _ body: (UUID) throws -> WebResponse) -> WebResponse {
        guard rest.count == 1, let id = UUID(uuidString: rest[0]) else { return .notFound }
        do {
            return try body(id)
        } catch let error as RegionStoreError where error.code == .notFound {
            return Self.removed
        } catch {
            return WebResponse(.failed, Self.unreadable)
        }
    }

    private func changing(
        _ region: String,
        _ body: (RegionStore, RegionSummary) throws -> DisplayText
    ) -> WebResponse {
        changing(region) { (try body($0, $1), nil) }
    }

    /// Changes a region; `body` returns what was done in words, and the key of a new item.
    private func changing(
        _ text: String,
        _ body: (RegionStore, RegionSummary) throws -> (DisplayText, String?)
    ) -> WebResponse {
        struct Done: Encodable {
            var text: String
            var key: String?
        }
        guard let id = UUID(uuidString: text) else { return AppWindowAction.invalid }
        do {
            let store = try desk.open(.writing)
            let (words, key) = try body(store, try store.region(id))
            desk.window.noteEdit()
            return .json(Done(text: words.string, key: key), orSaying: words.string)
        } catch {
            return WebResponse(Self.status(of: error), ProblemReport(error).windowText.string)
        }
    }

    static func status(of error: any Error) -> WebResponse.Status {
        switch (error as? RegionStoreError)?.code {
        case .notFound: .notFound
        case .conflict: .conflict
        case .invalidArgument: .badRequest
        default: .failed
        }
    }
}
