import ArgumentParser
import FoundationEssentials
import RegionSharing
import RegionStore
import Routing
import Sentences
import SharingReports
import TrackFiles

struct PlanCommand: GlobalCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Plan a route on a region's map: how far, how high, how long, how hard.",
        discussion: """
            A place is a waypoint of the region (its name, words of it, or its number in 'show'), coordinates such as \
            42.5918,1.4436, or the start or end of a hike or planned route: "NAME start", "NAME end".

            The way is found on the region's routing database. Without one, it is a straight line. The time follows DIN \
            33466, without breaks: 4 km on the flat, 300 m of ascent or 500 m of descent in an hour; of the time for the \
            distance and that for the heights, the longer one and half of the other.

            Examples:
              hikeshare plan coma --from 42.5708,1.4843 --to "Pic de Comapedrosa"
              hikeshare plan coma --from "Forcat start" --to "refugi coma" --alternatives
              hikeshare plan coma --from "Forcat start" --to "refugi coma" --save Hut
            """
    )

    @OptionGroup var region: RegionArgument

    @Option(help: ArgumentHelp("The start.", valueName: "place"), completion: .items(.waypoint))
    var from: String

    @Option(help: ArgumentHelp("The end.", valueName: "place"), completion: .items(.waypoint))
    var to: String

    @Option(
        help: ArgumentHelp("A place between, in their order; may be repeated.", valueName: "place"),
        completion: .items(.waypoint)
    )
    var via: [String] = []

    @Flag(help: "Show up to three ways that differ.")
    var alternatives = false

    @Option(help: ArgumentHelp("Show, save or write this one of the alternatives.", valueName: "number"))
    var way: Int?

    @Option(help: ArgumentHelp("Your pace: 1.2 goes 1.2 times as far in an hour as DIN 33466.", valueName: "factor"))
    var pace = 1.0

    @Option(help: ArgumentHelp("Save the way as a planned route of the region.", valueName: "name"))
    var save: String?

    @Option(help: ArgumentHelp("Write the way as a GPX file.", valueName: "file"), completion: .gpx)
    var gpx: String?

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard (0.2...5).contains(pace) else { throw ValidationError("--pace must be 0.2 to 5.") }
        guard way.map({ (1...Self.maximumCount).contains($0) }) ?? true else {
            throw ValidationError("--way must be 1 to \(Self.maximumCount).")
        }
        guard via.isEmpty || !alternatives && way == nil else {
            throw ValidationError("There are alternatives between two places only: leave out --via.")
        }
        guard !alternatives || way == nil && save == nil && gpx == nil else {
            throw ValidationError(
                "--alternatives shows the ways; to show, save or write one of them, use --way NUMBER."
            )
        }
    }

    /// The most alternatives.
    private static let maximumCount = 3

    func run() async throws {
        let console = global.makeConsole()
        let store = try global.openStore(save == nil ? .reading : .writing)
        let region = try region(in: store)
        let planner = RoutePlanner(store: store)
        var places: [NamedPlace] = []
        for text in [from] + via + [to] { places.append(try await place(text, in: region, planner)) }
        let count = alternatives || way != nil ? Self.maximumCount : 1
        let planned = try await planner.ways(through: places.map(\.coordinate), in: region.id, atMost: count)
        let pace = Pace.din33466.scaled(by: pace)
        let number = alternatives ? nil : way ?? 1
        guard number ?? 1 <= planned.ways.count else {
            throw CommandError(
                .notFound,
                planned.ways.count == 1
                    ? "There is only one way." : "There are only \(planned.ways.count) ways that differ.",
                remedy: "Use a smaller number with --way."
            )
        }
        console.emit(
            PlanReport(
                planned,
                through: places,
                in: region,
                pace: pace,
                number: number,
                isVerbose: global.verbosity > 0
            )
        )
        try await keep(planned.ways[(number ?? 1) - 1], pace, through: places, in: region, planner, store, console)
    }

    /// Saves and writes the way, as it is wished.
    private func keep(
        _ way: PlannedWay,
        _ pace: Pace,
        through places: [NamedPlace],
        in region: RegionSummary,
        _ planner: RoutePlanner,
        _ store: RegionStore,
        _ console: Console
    ) async throws {
        let name = "\(places.first?.name ?? "") – \(places.last?.name ?? "")"
        var route = way.route(called: name, id: UUID(), of: region.id, at: Date(), pace: pace)
        if let save {
            route = try await planner.save(way, called: save, in: region.id, pace: pace)
            let item = try store.routes(of: region).first { $0.id == route.id }
            console.emit(.added(route, number: item?.number ?? 0, to: region))
        }
        if let gpx {
            let path = ExportCommand.file(gpx, ".gpx", for: route.name)
            let data = try GPXWriter.data(TrackDocument(plannedRoutes: [route]), creator: Software.name)
            try Interruption.leavingNothing { try NewFile.write(to: path) { try $0([UInt8](data)) } }
            console.emit(.exported(region, [ExportFile(content: .gpx, path: path)], leftOut: [], part: nil))
        }
    }

    /// Finds the region; a place of several words without quotation marks would be a part of its name.
    private func region(in store: RegionStore) throws -> RegionSummary {
        do {
            return try store.region(named: region.name)
        } catch var error as CommandError where error.code == .notFound && region.words.count > 1 {
            error.hints.append("A place of several words needs quotation marks:  --to \"Refugi de la Comapedrosa\"")
            throw error
        }
    }

    private func place(_ text: String, in region: RegionSummary, _ planner: RoutePlanner) async throws -> NamedPlace {
        do {
            return try await planner.place(text, in: region.id)
        } catch let error as RouteError {
            guard case .unknownPlace(_, let places) = error else { throw error }
            // A part of a name is enough to name a place, so it may be misspelt by itself.
            let names = (places.waypoints + places.routes).flatMap {
                [$0.name] + $0.name.split(separator: " ").map { String($0) }
            }
            let guess = Misspelling.closest(to: text, in: names.map { $0.lowercased() })
            var words = error.words
            if let name = names.first(where: { $0.lowercased() == guess }) {
                (words.remedy, words.hints) = (Remedy("Did you mean “\(name)”?"), [])
            }
            throw words
        }
    }
}
