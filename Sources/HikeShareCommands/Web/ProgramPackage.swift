import FoundationEssentials
import MapPages
import SharingReports

/// The Debian package of this program, for laptops that do not have it yet.
enum ProgramPackage {
    /// The folder in which apt keeps packages.
    private static let folder = "/var/cache/apt/archives"

    /// Finds the package of this version; nil if this machine does not have it.
    static func find(in folder: String = folder) -> ShareSite.Program? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let prefix = "hikeshare_\(Software.version)_"
        guard let name = names.sorted().last(where: { $0.hasPrefix(prefix) && $0.hasSuffix(".deb") }) else {
            return nil
        }
        return ShareSite.Program(path: folder + "/" + name, name: name)
    }
}
