import PeerCore
import RegionStore

/// The remedies that name commands and options of this program.
///
/// The libraries serve any program, so their own remedies name none.
enum ProgramRemedy {
    /// What to do with a link that cannot be read.
    static let link = "Copy the whole link that 'hikeshare send' shows, and paste it after:  hikeshare receive -"

    /// Returns the remedy for an error of a session: the error's own, if no command or option helps.
    static func forSession(_ error: PeerError) -> String? {
        switch (error.code, error.cause) {
        case (.encryptionMismatch, is ProtocolError):
            "Use --encryption required on both machines."
        case (.encryptionMismatch, _):
            "Use the same --encryption on both machines, or omit the option on both."
        case (.cannotListen, _):
            "Choose another port above 1023 with --port, or omit --port."
        case (.notTrusted, let impostor as ImpostorError):
            "Ask “\(impostor.trustedName)”. If the key is really new, pair again after:  hikeshare peers forget. "
                + "If another machine has that name, rename the one that you trust:  hikeshare peers rename."
        default:
            error.remedy
        }
    }

    /// Returns the remedy for a map that could not be imported.
    static func forMap(_ error: RegionStoreError) -> String? {
        error.cause is RoutingWithoutMapError
            ? "Import it together with its map:  hikeshare import MAP --routing FILE" : error.remedy
    }

    /// Returns the remedy for a GPX file that could not be added to a region.
    static func forGPX(_ error: RegionStoreError, hasRegion: Bool) -> String? {
        error.code == .notFound && !hasRegion
            ? "Import the map of that area first, or choose a region with --region." : error.remedy
    }

    /// Returns the remedy for a photo that could not be added to a waypoint.
    static func forPhoto(_ error: RegionStoreError) -> String? {
        error.code == .conflict ? "To replace that photo, add --replace." : error.remedy
    }
}
