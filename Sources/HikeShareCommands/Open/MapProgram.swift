import ArgumentParser
import RegionStore

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
