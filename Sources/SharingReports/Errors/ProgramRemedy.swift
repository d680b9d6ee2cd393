package import NetworkManager
package import PeerCore
package import RegionStore
package import Sentences

/// The remedies that name commands and options of this program; libraries name none, because they serve any program.
package enum ProgramRemedy {
    /// What to do with a share link that cannot be read.
    package static let link = Remedy.typed(
        "Copy the whole share link that 'hikeshare send' shows, then run 'hikeshare receive --link' and paste it.",
        window: "Copy the whole share link that the sender shows, and paste it."
    )

    /// Returns the remedy for an error of a transfer: the error's own, if no command or option helps.
    package static func forTransfer(_ error: PeerError) -> Remedy? {
        switch (error.code, error.cause) {
        case (.encryptionMismatch, is ProtocolError):
            .typed("Use --encryption required on both machines.", window: nil)
        case (.encryptionMismatch, _):
            .typed("Use the same --encryption on both machines, or omit the option on both.", window: nil)
        case (.cannotListen, _):
            .typed("Choose another port above 1023 with --port, or omit --port.", window: nil)
        case (.notTrusted, let impostor as ImpostorError):
            Self.impostor(called: impostor.trustedName)
        case (_, is SenderStopped):
            .typed(
                "Run 'hikeshare send' there, and use the link or the address that it shows then.",
                window: "Start sending again there, and use the link that is shown then."
            )
        case (.cannotConnect, is UnansweredConnection), (.timedOut, is UnansweredConnection),
            (.connectionLost, is UnansweredConnection):
            .typed("To find out more, run 'hikeshare doctor' on both machines.", window: nil)
        default:
            error.remedy.map { Remedy(known: $0) }
        }
    }

    /// Returns the remedy for an error of NetworkManager.
    package static func forNetwork(_ error: NetworkManagerError) -> Remedy? {
        guard error.code == .noPermission else { return error.remedy.map { Remedy(known: $0) } }
        return error.remedy.map {
            .typed(
                Sentence(known: $0),
                window: "Run the program in the desktop session, or let the other laptop make the network."
            )
        }
    }

    /// Returns the remedy for a machine that uses the name of a trusted one.
    package static func impostor(called name: String) -> Remedy {
        let name = CommandWord.of(name, orElse: "NAME")
        return .typed(
            "If there are two of that name, give yours another one: 'hikeshare peers rename \(name) NEW'. If yours has a new "
                + "laptop: 'hikeshare peers forget \(name)'. Then try again.",
            window: "Ask the person: if this is somebody else, one of the two needs another name."
        )
    }

    /// Returns the remedy for a map that could not be imported.
    package static func forMap(_ error: RegionStoreError) -> Remedy? {
        let isOtherArea = error.code == .invalidArgument && error.remedy != nil
        return isOtherArea
            ? .typed(
                "Remove --update to import the map as another region.",
                window: error.remedy.map { Sentence(known: $0) }
            )
            : error.remedy.map { Remedy(known: $0) }
    }

    /// Returns the remedy for a file that cannot be read: for one of an unknown kind, the option that takes it nevertheless.
    package static func forFile(_ error: RegionStoreError) -> Remedy? {
        if (error.cause as? SystemError)?.isOfMissingFile == true {
            return error.remedy.map { .typed(Sentence(known: $0), window: "It was moved or removed.") }
        }
        guard error.cause is UnknownFileKind else { return error.remedy.map { Remedy(known: $0) } }
        let carrying: Sentence = "To carry the file as it is, for another program, add --foreign."
        let known = error.remedy.map { Sentence(known: $0) }
        return .typed(Sentence.sequence([known, carrying].compactMap { $0 }) ?? carrying, window: known)
    }

    /// Returns the remedy for a photo that could not be added to a waypoint.
    package static func forPhoto(_ error: RegionStoreError) -> Remedy? {
        error.code == .conflict
            ? .typed(
                "To replace that photo, add --replace.",
                window: "Add this one again to replace that photo."
            )
            : error.remedy.map { Remedy(known: $0) }
    }

    /// Returns the remedy for a GPX file that could not be added to a region.
    package static func forGPX(_ error: RegionStoreError, hasRegion: Bool) -> Remedy? {
        error.code == .notFound && !hasRegion
            ? .typed(
                "Import the map of that area first, or choose a region with --region.",
                window: "Add the map of that area first, then this file again."
            ) : error.remedy.map { Remedy(known: $0) }
    }

    /// Returns the remedy for a hike, planned route or waypoint that was not found.
    package static func forItem(_ error: RegionStoreError, of region: RegionSummary?) -> String? {
        let show = "'hikeshare show \(region?.shortID ?? "REGION")'"
        return switch error.code {
        case .notFound: "\(show) lists the names and numbers."
        case .ambiguous: "Use the number instead of the name; \(show) lists the numbers."
        default: error.remedy
        }
    }

    /// Returns the remedy for a region that was not removed, because its GPX file would lack what cannot be read.
    package static func forIncompleteExport(of region: RegionSummary) -> String {
        "To keep the rest, run 'hikeshare export \(region.shortID) --to DIR --gpx'. Then remove everything with "
            + "'hikeshare remove \(region.shortID) --with-routes'."
    }

    /// What to do if no trusted machine has the name that was given.
    package static let forTrustedPeer: Remedy = "'hikeshare peers' lists the trusted machines."
}

/// The cause of a failed connection: the sender's machine is there, and nothing listens at its port any more.
package struct SenderStopped: Error {
    package init() {}
}
