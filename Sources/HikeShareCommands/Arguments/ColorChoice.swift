import ArgumentParser
import PeerCore
import RegionStore
import SharingReports

/// The value of `--color`: whether text for people has colours.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// In a terminal that supports colours, unless `NO_COLOR` is set.
    case auto
    /// Always, in files and pipes, too.
    case always
    case never

    /// Decides whether output has colours.
    func hasColor(isTerminal: Bool, environment: [String: String]) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto:
            isTerminal && environment["NO_COLOR", default: ""].isEmpty
                && !["", "dumb"].contains(environment["TERM", default: ""])
        }
    }
}
