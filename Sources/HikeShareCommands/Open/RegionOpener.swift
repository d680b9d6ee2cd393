import FoundationEssentials
import RegionStore
import Sentences
import SharingReports

/// Opens a region in a map program of the desktop, or else in the browser.
struct RegionOpener: Sendable {
    var store: RegionStore
    var region: RegionSummary
    /// The program that a person has chosen; nil for GPXSee.
    var choice: MapProgram?
    var environment: [String: String]
    var console: Console

    /// Writes the files and starts the program.
    ///
    /// If that is not possible, shows the page of `hikeshare map` until a person stops the program; of a map of another program, which
    /// the page does not draw, the folder.
    ///
    /// - Throws: ``CommandError`` if there is no folder for the files, or if the page was closed.
    func run() async throws {
        guard choice != .browser else { return try await showPage(nil, nil) }
        let folder = try store.updateDesktopFolder(
            of: region.id,
            named: ExportFileName.stem(for: region.name),
            in: try Self.cacheFolder(environment)
        )
        for note in PlainReport.leftOutNotes(folder.leftOut) { console.note(note) }
        let program = choice ?? .gpxsee
        let isDrawn = choice != nil || [nil, .garmin, .mapsforge].contains(region.foreign?.format)
        let arguments = [folder.gpx, folder.map].compactMap { $0 }.map(folder.path(of:))
        let hasDesktop = DesktopProgram.hasDesktop(environment)
        if isDrawn, hasDesktop, start(program.command, arguments) {
            console.emit(OpenedReport(region: region, program: program, folder: folder))
        } else if region.foreign != nil {
            console.emit(OpenedReport(region: region, program: nil, folder: folder))
            // The file itself is never handed to the desktop: what it would start is not known.
            if hasDesktop { _ = start("xdg-open", [folder.path]) }
        } else if hasDesktop {
            try await showPage(folder, "\(program.title) is not installed.")
        } else {
            try await showPage(folder, "There is no desktop here, so no map program was started.")
        }
    }

    private func start(_ command: String, _ arguments: [String]) -> Bool {
        DesktopProgram.find(command, environment).map { DesktopProgram.start($0, arguments) } ?? false
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
    ) -> DesktopFolder.Removal {
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
