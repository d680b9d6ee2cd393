import ArgumentParser
import PeerCore
import RegionStore
import Sentences
import SharingReports

/// Which options go together.
extension ReceiveCommand {
    func validate() throws {
        guard [connect != nil, peer != nil, link].filter({ $0 }).count < 2 else {
            throw ValidationError("Give a name, --link or --connect, and only one of them.")
        }
        guard stick == nil || connect == nil && peer == nil && !join && cut.isEmpty else {
            throw ValidationError(
                "--stick uses no network and takes whole files: leave out names, --connect, --join and --along."
            )
        }
        guard stick == nil || region.isEmpty && !all && !keep else {
            throw ValidationError("--stick offers every region that is there: leave out --region, --all and --keep.")
        }
        guard !namesLink || sharing.encryption != .none else {
            throw ValidationError("A share link requires encryption: remove --encryption none.")
        }
        guard !namesLink || !join else {
            throw ValidationError("A share link names the Wi-Fi network itself: remove --join.")
        }
        guard (0...1000).contains(retries ?? 0) else { throw ValidationError("--retries must be 0 to 1000.") }
        guard timeout.map({ (1...86_400).contains($0) }) ?? true else {
            throw ValidationError("--timeout must be 1 to 86400 seconds.")
        }
        guard region.isEmpty || !all else { throw ValidationError("Give --region or --all, and only one of them.") }
        guard !keep || keepsAlone else {
            throw ValidationError("--keep finds senders by itself: use it with --all, --only and --name alone.")
        }
        guard !keep || sharing.encryption == .required else {
            throw ValidationError("--keep needs to know who sends: remove --encryption.")
        }
        try sharing.check(routes: route)
        guard cut.isEmpty || sharing.only?.kinds.contains(.mbtiles) != false else {
            throw ValidationError("--along, --area and --max-zoom select tiles of the map: add map to --only.")
        }
    }

    /// Checks that a sender can be accepted: that a person can be asked, or that no question is needed.
    func requireSomebody(knownTo store: RegionStore, _ console: Console) throws {
        let trustedPeers = try store.trustedPeers.all()
        guard !keep || !trustedPeers.isEmpty else {
            throw CommandError(
                .notTrusted,
                "You do not trust any other machine yet, and --keep takes maps from trusted machines only.",
                remedy: "Receive once from a person, and compare the digits."
            )
        }
        let hasTrustedPeers = namesLink || sharing.encryption != .none && !trustedPeers.isEmpty
        try sharing.requireSomebodyToAsk(console, unless: hasTrustedPeers)
    }

    /// Whether no option contradicts `--keep`.
    private var keepsAlone: Bool {
        peer == nil && !link && connect == nil && !join && timeout == nil && retries == nil && route.isEmpty
            && region.isEmpty && cut.isEmpty && !sharing.yes
    }
}
