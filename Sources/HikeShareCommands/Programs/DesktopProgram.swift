import Glibc
import SharingReports

/// Programs of the desktop, which this program starts and does not wait for.
enum DesktopProgram {
    /// Whether there is a desktop on which a window can open.
    static func hasDesktop(_ environment: [String: String]) -> Bool {
        ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
    }

    /// Finds a program in the folders of `PATH`; nil if it is not installed.
    static func find(_ name: String, _ environment: [String: String]) -> String? {
        let folders = (environment["PATH"] ?? "").split(separator: ":")
        return folders.map { $0 + "/" + name }.first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
    }

    /// Starts a program, which may run longer than this one, so nothing waits for it.
    static func start(_ path: String, _ arguments: [String]) -> Bool { OtherProgram.start(path, arguments) != nil }
}
