import ArgumentParser
import RegionStore

/// A program that can show a region.
enum MapProgram: Hashable, ExpressibleByArgument, Sendable {
    /// The browser, with the page of `hikeshare map`.
    case browser
    /// A program of the desktop, by the name of its command; it gets the GPX file and the map as its arguments.
    case desktop(String)

    /// GPXSee (https://github.com/tumic0/GPXSee), which draws raster and vector tiles, and maps of Garmin and Mapsforge.
    static let gpxsee = MapProgram.desktop("gpxsee")

    /// Reads the name of a command, without a folder.
    init?(argument: String) {
        guard !argument.isEmpty, !argument.contains("/") else { return nil }
        self = argument == MapProgram.browser.command ? .browser : .desktop(argument)
    }

    /// What a person types.
    var command: String {
        switch self {
        case .browser: "browser"
        case .desktop(let command): command
        }
    }

    /// The name for people.
    var title: String { self == .gpxsee ? "GPXSee" : self == .browser ? "the browser" : command }

    static let allValueStrings = [gpxsee.command, MapProgram.browser.command]
}
