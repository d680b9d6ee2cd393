package import RegionSharing
import RegionStore
import Routing
import Sentences

extension RouteError: WordedError {
    package var words: CommandError {
        switch self {
        case .unknownPlace(let text, let places):
            CommandError(
                .notFound,
                "“\(places.region.name)” has no place “\(text)”.",
                remedy: Self.kindsOfPlaces,
                hints: places.hints
            )
        case .ambiguousPlace(let text, let found, let region):
            CommandError(
                .ambiguous,
                "“\(text)” is the name of \(found.count) places of “\(region.name)”, or a part of it.",
                remedy: "Use the number or the whole name of one:",
                hints: found.prefix(Self.maximumCount).map { "\($0.number)  \($0.name), \($0.distinction)" }
            )
        case .neitherEnd(let route):
            CommandError(
                .notFound,
                "“\(route.name)” is a \(route.kind.noun), and only its ends are places.",
                remedy: Remedy("Write “\(route.name) start” or “\(route.name) end”.")
            )
        case .noWay(let error, let count, let region):
            error.words(placeCount: count, in: region)
        case .nameTaken(let other, let region):
            CommandError(
                .conflict,
                "“\(region.name)” has a \(other.kind.noun) called “\(other.name)” already.",
                remedy: "Choose another name, or rename or remove that one first."
            )
        }
    }

    /// The most places that a message lists.
    fileprivate static let maximumCount = 20

    fileprivate static let kindsOfPlaces: Remedy =
        "A place is a waypoint, coordinates such as 42.5918,1.4436, or “NAME start” or “NAME end” of a hike or planned route."
}

extension RegionPlaces {
    /// What there is, for somebody who has named something else.
    fileprivate var hints: [Hint] {
        [("Waypoints", waypoints), ("Hikes and planned routes", routes)].compactMap { title, items in
            var seen: Set<String> = []
            let names = items.map(\.name).filter { !$0.isEmpty && seen.insert($0).inserted }
            let shown = names.prefix(RouteError.maximumCount).joined(separator: ", ")
            let more = names.count - RouteError.maximumCount
            return names.isEmpty ? nil : "\(title): \(shown)\(more > 0 ? " and \(more) more" : "")"
        }
    }
}

extension PlanningError {
    /// The error with the places in words: those who typed or clicked them know which they are.
    fileprivate func words(placeCount: Int, in region: RegionSummary) -> CommandError {
        func place(_ index: Int) -> Sentence {
            switch index {
            case 0: "the start"
            case placeCount - 1: "the end"
            default: placeCount == 3 ? "the place between" : "the \(Wording.ordinal(index)) place between"
            }
        }
        switch self {
        case .tooFar(let index, let metres):
            let (name, place) = (region.name, place(index))
            return CommandError(
                .notFound,
                metres.isFinite
                    ? "“\(name)” has no way within 1 km of \(place): the nearest one is \(Wording.distance(metres)) away."
                    : "“\(name)” has no way within 1 km of \(place).",
                remedy: "Choose a place nearer to a path, a track or a road."
            )
        case .noWay(let index, let reached, let metres):
            return CommandError(
                .notFound,
                "No way leads from \(place(index)) to \(place(index + 1)): the ways end at "
                    + "\(Wording.position(reached)), \(Wording.distance(metres)) before it.",
                remedy: "Choose another place, or one between that is on the way."
            )
        case .tooFewPlaces:
            return CommandError(
                .usage,
                "The start and the end are the same place.",
                remedy: "For a round trip, also choose a place between."
            )
        }
    }
}
