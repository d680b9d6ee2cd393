package import RegionSharing
import RegionStore
import Sentences

extension ReceivingError: WordedError {
    package var words: CommandError {
        switch self {
        case .untrustedSender(let local, let peer):
            CommandError(
                .notTrusted,
                "“\(local)” already exists with different files, and “\(peer)” "
                    + "is not trusted. Its files cannot replace yours without a question.",
                typed:
                    "Receive it in a terminal without --yes, use the sender's share link, or remove your region first.",
                window: "Use the sender's share link."
            )
        case .anotherArea(let region, let local):
            CommandError(
                .declined,
                "“\(region)” would replace files of “\(local)”, which covers a different area.",
                typed: "Receive it in a terminal without --yes, or remove “\(local)” first."
            )
        case .doubtfulAge(let local, let ages):
            Self.needsQuestion(
                ages?.age == .older
                    ? "The map of “\(local)” is not replaced by an older map without a question (\(ages?.words ?? ""))."
                    : "The map of “\(local)” is not replaced by a map of unknown age without a question (\(ages?.words ?? ""))."
            )
        case .losesSigner(let local):
            Self.needsQuestion("The map of “\(local)” would lose the signature that it has.")
        case .nothingWanted(let region, let isLimited):
            CommandError(
                .notFound,
                "The offer of “\(region)” has none of the parts that were asked for.",
                remedy: isLimited ? .typed("Remove --only.", window: nil) : nil
            )
        case .noRoutes(let name):
            CommandError(
                .notFound,
                "“\(name)” cannot be received, because no hikes or planned routes are included.",
                typed: "Remove --route, or include hikes and planned routes."
            )
        case .tooManyTiles(let region):
            CommandError(
                .storage,
                "The part of “\(region)” cannot be added to your map, because the two have too many tiles together.",
                typed: "Receive the whole map, or leave out the map with --only.",
                window: "Receive the whole map, or leave out the map."
            )
        case .noMap(let region, let isForeign):
            CommandError(
                .notFound,
                "You do not have “\(region)” yet, and it cannot be added without its map.",
                typed: "Add \(isForeign ? "foreign" : "map") to --only, or remove --only.",
                window: "Take the map, too."
            )
        case .changed(let region):
            CommandError(
                .changed,
                "“\(region)” changed on this machine while you were asked.",
                typed: "Run the command again to see what would be replaced now.",
                window: "Receive it again to see what would be replaced now."
            )
        case .anotherRegion, .anotherMap, .nothingNew, .notListed, .senderLeft: wordsOfOffers
        case .impostor, .stranger, .declined, .nothingTaken, .someReceived: wordsOfPeople
        }
    }

    private static func needsQuestion(_ what: Sentence) -> CommandError {
        CommandError(
            .declined,
            what,
            typed: "Receive it in a terminal without --yes, or leave out the map with --only.",
            window: "Leave out the map."
        )
    }

    /// The words if the sender has something else.
    private var wordsOfOffers: CommandError {
        switch self {
        case .anotherRegion(let offered, let wanted):
            CommandError(
                .notFound,
                "The sender offers “\(offered)”, and not “\(wanted)”.",
                typed: "Receive without --region to see the offer."
            )
        case .nothingNew(let peer):
            CommandError(
                .notFound,
                "Nothing in the list of “\(peer)” is new for this machine.",
                typed: "Name what you want with --region, or take everything with --all."
            )
        case .notListed(let name, let peer):
            CommandError(
                .notFound,
                "“\(peer)” offers no region “\(name)”, or several of that name.",
                typed: "Receive without --region to see the list."
            )
        case .senderLeft:
            CommandError(
                .noPeerFound,
                "Not everything that you picked is here: its sender has left, and the other one had only this.",
                remedy: "Receive again when the sender is back."
            )
        default: CommandError(.declined, "The other sender offers another map.")
        }
    }

    /// The error after a person declined, or where only a person may accept.
    private var wordsOfPeople: CommandError {
        switch self {
        case .impostor(let friend, let peer):
            CommandError(
                .notTrusted,
                "This is not the “\(friend)” that you trust: it has a different key. It is another "
                    + "“\(peer)”, or someone who pretends to be yours.",
                remedy: ProgramRemedy.impostor(called: friend)
            )
        case .stranger(let peer):
            CommandError(
                .notTrusted,
                "“\(peer)” is not trusted, and without a terminal the program cannot ask you.",
                typed: "Use the sender's share link, trust the machine with 'hikeshare peers trust ID', or use --yes.",
                window: "Use the sender's share link."
            )
        case .declined(let region?): CommandError(.declined, "You declined “\(region)”.")
        case .declined(nil): CommandError(.declined, "You declined; nothing was received.")
        case .someReceived:
            CommandError(.interrupted, "Interrupted; what was received before is here, the rest is not.")
        default: CommandError(.declined, "Nothing was taken.")
        }
    }
}
