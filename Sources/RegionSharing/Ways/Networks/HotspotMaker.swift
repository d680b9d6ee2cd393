import ArgumentParser
import NetworkManager
import PeerCore

/// Makes a Wi-Fi network for as long as a region is sent.
struct HotspotMaker: Sendable {
    var wishes: HotspotPlan.Wishes
    /// Whether there is a page for phones, which need an IPv4 address.
    var hasPage: Bool
    /// Whether nothing is asked.
    var acceptsAll: Bool
    var console: Console

    /// Says what will happen, asks, makes the network, calls `body` and takes the network away.
    ///
    /// If a person stops the program meanwhile, the former network comes back, too.
    ///
    /// - Throws: ``CommandError`` if the person declines or stops it; `NetworkManagerError`; the error of `body`.
    func with(_ body: @escaping @Sendable (OwnHotspot) async throws -> Void) async throws {
        try await Interruption.watch {
            false
        } isSaying: {
            // The program asks NetworkManager to end the network.
            true
        } _: {
            try await make(body)
        }
    }

    private func make(_ body: (OwnHotspot) async throws -> Void) async throws {
        try await NetworkManagerClient.with { client in
            let credentials = ShareLinkNetwork.random()
            let name = credentials.name(for: .hikeshare)
            var plan = try await self.plan(client)
            var asked: HotspotPlan?
            // The laptop may change its network while the person thinks.
            while asked?.leaves?.name != plan.leaves?.name {
                try await askToLeave(plan, for: name)
                (asked, plan) = (plan, try await self.plan(client))
            }
            let made = plan
            if made.asksForPassword {
                console.note("NetworkManager asks for the password of an administrator. Type it within a minute.")
            }
            defer { console.show(nil) }
            console.show("Making the Wi-Fi network \(name) …")
            if console.showsPlainProgress { console.note("Making the Wi-Fi network \(name) …") }
            try await client.withHotspot(made, named: name, password: credentials.password) { former in
                console.note("This laptop returns to “\(former)”.")
            } _: { network in
                console.show(nil)
                console.emit(HotspotReport(credentials: credentials, plan: made))
                let givesAddresses = made.addresses == .shared
                try await body(
                    OwnHotspot(credentials: credentials, network: network, givesAddresses: givesAddresses)
                )
            }
        }
    }

    /// Plans the network as the card is now.
    private func plan(_ client: NetworkManagerClient) async throws -> HotspotPlan {
        let plan = try HotspotPlan(
            try await client.state(),
            hasDnsmasq: NetworkManagerClient.hasDnsmasq,
            wishes: wishes
        )
        if hasPage, let refusal = Self.refusal(ofPageWith: plan.addresses) { throw refusal }
        return plan
    }

    /// Returns why phones could not open a page in a network; nil if they can.
    static func refusal(ofPageWith addresses: HotspotPlan.Addresses) -> CommandError? {
        switch addresses {
        case .shared: nil
        case .linkLocal(.noDnsmasq):
            CommandError(
                .network,
                "Phones could not open the page (--web): they get no address in the Wi-Fi network, because dnsmasq is missing.",
                remedy: "Install it:  sudo apt install dnsmasq-base"
            )
        case .linkLocal(.uplink(let interface)):
            CommandError(
                .network,
                "Phones could not open the page (--web): they get no address in the Wi-Fi network, because this laptop does not "
                    + "share its connection \(interface).",
                remedy: "Add --share-internet to share it, or disconnect \(interface)."
            )
        }
    }

    private func askToLeave(_ plan: HotspotPlan, for name: String) async throws {
        guard let current = plan.leaves else { return }
        let (consequence, question) = Self.question(leaving: current.name, for: name)
        guard !acceptsAll else { return console.note(consequence) }
        guard console.canAsk else {
            throw CommandError(
                .noTerminal,
                "This laptop would leave the Wi-Fi network “\(current.name)”, and there is no terminal to ask you first.",
                remedy: "Add --yes to leave it."
            )
        }
        guard try await console.confirm(introduction: consequence, question, byDefault: true)
        else { throw CommandError(.declined, "No Wi-Fi network was made, and nothing was sent.") }
    }

    /// The question before the card leaves its network.
    static func question(
        leaving current: String,
        for name: String
    ) -> (introduction: DisplayText, question: DisplayText) {
        (
            "The Wi-Fi card can use only one network. This laptop leaves “\(current)” now and returns at the end.",
            "Make the Wi-Fi network \(name)?"
        )
    }
}

extension WiFiBand: ExpressibleByArgument {}

/// The options of a Wi-Fi network that a sender makes.
struct HotspotOptions: ParsableArguments {
    @Flag(
        name: .long,
        help: "Make a Wi-Fi network for the receivers, and return to the current one at the end."
    )
    var hotspot = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Band of the Wi-Fi network in GHz: 2.4, or 5, which is faster but not possible everywhere (default: 2.4).",
            valueName: "band"
        )
    )
    var hotspotBand: WiFiBand?

    @Flag(name: .long, help: "Let machines in the Wi-Fi network use this machine's internet connection.")
    var shareInternet = false

    /// What the person wishes.
    var wishes: HotspotPlan.Wishes { HotspotPlan.Wishes(band: hotspotBand, sharesUplink: shareInternet) }

    func validate() throws {
        guard hotspot || hotspotBand == nil && !shareInternet else {
            throw ValidationError("--hotspot-band and --share-internet need --hotspot.")
        }
    }
}
