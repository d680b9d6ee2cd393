import ArgumentParser
import FoundationEssentials
import RegionStore
import SharingReports

/// Opens a region in a map program of the desktop, or else in the browser.
struct RegionOpener: Sendable {
    var store: RegionStore
    var region: RegionSummary
    /// The program that a person has chosen; nil for the first one that is installed.
    var choice: MapProgram?
    var environment: [String: String]
    var console: Console

    /// Writes the files and starts the program.
    ///
    /// If that is not possible, shows the page of `hikeshare map` until a person stops the program.
    ///
    /// - Throws: ``CommandError`` if the chosen program cannot show the map, or if the page was closed.
    func run() async throws {
        if let sealed = region.sealed, choice != .browser { return try openSealed(sealed) }
        if let choice, !choice.draws(region.format) {
            throw CommandError(
                .usage,
                "“\(region.name)” has vector tiles, which \(choice.title) does not draw.",
                remedy: "Use --with gpxsee."
            )
        }
        guard choice != .browser else { return try await showPage(nil, nil) }
        let cache = try Self.cacheFolder(environment)
        let folder = try store.updateDesktopFolder(
            of: region.id,
            named: ExportFileName.stem(for: region.name),
            in: cache
        )
        for note in ExportReport.notes(folder.leftOut) { console.note(note) }
        switch start(folder) {
        case .success(let program):
            console.emit(OpenedReport(region: region, program: program, folder: folder))
        case .failure(let reason):
            try await showPage(folder, reason.text)
        }
    }

    /// Writes the map of another program to a folder, and starts GPXSee if that draws it; else shows the folder.
    ///
    /// The file itself is never handed to the desktop: what it would start is not known.
    private func openSealed(_ sealed: SealedMap) throws {
        if let choice, !choice.draws(sealed.format) {
            throw CommandError(
                .usage,
                "“\(region.name)” is a \(sealed.format.title), which \(choice.title) does not draw.",
                remedy: MapProgram.gpxsee.draws(sealed.format) ? "Use --with gpxsee." : "Leave --with out."
            )
        }
        let folder = try store.updateDesktopFolder(
            of: region.id,
            named: ExportFileName.stem(for: region.name),
            in: try Self.cacheFolder(environment)
        )
        for note in ExportReport.notes(folder.leftOut) { console.note(note) }
        let program = MapProgram.gpxsee
        let isStarted = program.draws(sealed.format) && start(program, folder)
        console.emit(OpenedReport(region: region, program: isStarted ? program : nil, folder: folder))
        guard !isStarted, DesktopProgram.hasDesktop(environment),
            let path = DesktopProgram.find("xdg-open", environment)
        else { return }
        _ = DesktopProgram.start(path, [folder.path])
    }

    private func start(_ program: MapProgram, _ folder: DesktopFolder) -> Bool {
        guard DesktopProgram.hasDesktop(environment),
            let path = DesktopProgram.find(program.rawValue, environment), let arguments = program.arguments(folder)
        else { return false }
        return DesktopProgram.start(path, arguments)
    }

    /// Why no program was started.
    private struct Obstacle: Error {
        var text: DisplayText
    }

    private func start(_ folder: DesktopFolder) -> Result<MapProgram, Obstacle> {
        guard DesktopProgram.hasDesktop(environment) else {
            return .failure(Obstacle(text: "There is no desktop here, so no map program was started."))
        }
        for program in choice.map({ [$0] }) ?? MapProgram.desktop where program.draws(region.format) {
            if start(program, folder) { return .success(program) }
        }
        if let choice { return .failure(Obstacle(text: "\(choice.title) is not installed.")) }
        return .failure(Obstacle(text: "No map program that draws this map is installed: Viking, QMapShack or GPXSee."))
    }

    private func showPage(_ folder: DesktopFolder?, _ reason: DisplayText?) async throws {
        if let reason { console.note(reason) }
        console.emit(OpenedReport(region: region, program: .browser, folder: folder))
        let server = MapServer(
            store: store,
            region: region,
            opensBrowser: true,
            environment: environment,
            console: console
        )
        try await server.run()
    }

    /// Removes the files of a region that was removed, or its GPX file if only an item of it was.
    static func removeFiles(
        of regionID: UUID,
        onlyItems: Bool = false,
        _ environment: [String: String]
    ) -> DesktopFolderRemoval {
        guard let cache = try? cacheFolder(environment) else { return .none }
        return RegionStore.removeDesktopFolder(of: regionID, onlyItems: onlyItems, in: cache)
    }

    /// Returns the folder for the files of all regions.
    static func cacheFolder(_ environment: [String: String]) throws -> String {
        // The XDG Base Directory Specification: relative paths are to be ignored.
        if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") { return cache + "/hikeshare/open" }
        if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.cache/hikeshare/open" }
        throw CommandError(
            .usage,
            "The folder for the files of map programs is unknown: HOME is not set.",
            remedy: "Set HOME or XDG_CACHE_HOME, or use --with browser."
        )
    }
}

/// A program that can show a region.
enum MapProgram: String, CaseIterable, ExpressibleByArgument, Sendable {
    case viking
    case qmapshack
    case gpxsee
    /// The browser, with the page of `hikeshare map`.
    case browser

    /// The programs of the desktop, the one that is preferred first.
    static let desktop: [MapProgram] = [.viking, .qmapshack, .gpxsee]

    /// The name for people.
    var title: String {
        switch self {
        case .viking: "Viking"
        case .qmapshack: "QMapShack"
        case .gpxsee: "GPXSee"
        case .browser: "the browser"
        }
    }

    /// Returns whether the program draws tiles of a format.
    func draws(_ format: TileFormat?) -> Bool {
        switch self {
        case .viking, .qmapshack: format != .pbf
        case .gpxsee, .browser: true
        }
    }

    /// Returns whether the program draws the files of a format.
    ///
    /// GPXSee draws those of Garmin and Mapsforge: https://github.com/tumic0/GPXSee
    func draws(_ format: SealedFormat) -> Bool { self == .gpxsee && [.garmin, .mapsforge].contains(format) }

    /// Returns the arguments with which the program shows a folder; nil if it cannot.
    func arguments(_ folder: DesktopFolder) -> [String]? {
        let gpx = folder.gpx.map { [folder.path(of: $0)] } ?? []
        switch self {
        case .viking:
            return folder.vikingProject.map { [folder.path(of: $0)] + gpx }
        case .qmapshack:
            return folder.qmapshackSettings.map { ["--no-splash", "--config", folder.path(of: $0)] + gpx }
        case .gpxsee:
            return gpx + [folder.path(of: folder.map)]
        case .browser:
            return nil
        }
    }
}
