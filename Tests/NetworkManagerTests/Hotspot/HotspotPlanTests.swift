import Testing

@testable import NetworkManager

@Suite struct HotspotPlanTests {
    private func plan(
        _ state: NetworkState,
        hasDnsmasq: Bool = true,
        _ wishes: HotspotPlan.Wishes = .init()
    ) throws -> HotspotPlan {
        try HotspotPlan(state, hasDnsmasq: hasDnsmasq, wishes: wishes)
    }

    private func refusal(
        _ state: NetworkState,
        _ wishes: HotspotPlan.Wishes = .init()
    ) -> NetworkManagerError? {
        #expect(throws: NetworkManagerError.self) { try plan(state, wishes) }
    }

    // MARK: The card

    @Test func aFreeCardIsUsed() throws {
        let plan = try plan(Sample.state(Sample.device()))
        #expect(plan.device.interface == "wlan0" && plan.leaves == nil)
        #expect(plan.channel == WiFiChannel(band: .band2GHz, number: 6))
        #expect(plan.addresses == .shared)
    }

    @Test func aFreeCardComesBeforeAUsedOne() throws {
        let plan = try plan(Sample.state(Sample.device("wlan0", .connected), Sample.device("wlan1")))
        #expect(plan.device.interface == "wlan1" && plan.leaves == nil)
    }

    @Test func aUsedCardIsBetterThanNone() throws {
        let plan = try plan(Sample.state(Sample.device("wlan0", .connected), Sample.device("wlan1", .disconnected, [])))
        #expect(plan.device.interface == "wlan0" && plan.leaves?.name == "Home")
    }

    @Test(arguments: [.unknown, .unmanaged, .unavailable] as [WiFiDevice.State])
    func cardsThatCannotBeUsedAreLeftAlone(state: WiFiDevice.State) throws {
        let plan = try plan(Sample.state(Sample.device("wlan0", state), Sample.device("wlan1", .connected)))
        #expect(plan.device.interface == "wlan1")
    }

    @Test(arguments: [.accessPoint, .ccmp, .rsn] as [WiFiDevice.Capabilities])
    func aCardThatCannotDoItIsRefused(missing: WiFiDevice.Capabilities) {
        let device = Sample.device("wlan0", .disconnected, Sample.able.subtracting(missing))
        let error = refusal(Sample.state(device))
        #expect(error?.code == .noAccessPointMode)
        #expect(error?.message == "The Wi-Fi card wlan0 cannot make a network of its own.")
        #expect(error?.remedy == "Use another laptop's network, a phone's hotspot or a cable.")
    }

    // MARK: The channel

    @Test func theBandIsTheOneThatIsWished() throws {
        let state = Sample.state(Sample.device())
        #expect(try plan(state, .init(band: .band5GHz)).channel == WiFiChannel(band: .band5GHz, number: 36))
        #expect(try plan(state, .init(band: .band2GHz)).channel == WiFiChannel(band: .band2GHz, number: 6))
    }

    @Test func aBandThatTheCardDoesNotHaveIsRefused() {
        let device = Sample.device("wlan0", .disconnected, Sample.able.subtracting(.band5GHz))
        let error = refusal(Sample.state(device), .init(band: .band5GHz))
        #expect(error?.code == .noChannel)
        #expect(error?.message == "The Wi-Fi card wlan0 cannot use 5 GHz.")
        #expect(error?.remedy == "Choose the other band, or let the program choose.")
    }

    @Test func anotherCardHasTheBand() throws {
        let slow = Sample.device("wlan0", .disconnected, Sample.able.subtracting(.band5GHz))
        let plan = try plan(Sample.state(slow, Sample.device("wlan1")), .init(band: .band5GHz))
        #expect(plan.device.interface == "wlan1")
    }

    @Test func aCardThatSaysNothingOfBandsMayHaveThem() throws {
        let device = Sample.device("wlan0", .disconnected, [.accessPoint, .ccmp, .rsn])
        #expect(try plan(Sample.state(device), .init(band: .band5GHz)).channel.number == 36)
    }

    @Test func twoInterfacesOnOneRadioAreOnOneChannel() throws {
        let used = Sample.device("wlan0", .connected, radio: "phy0", frequency: 5240)
        let free = Sample.device("wlan1", radio: "phy0")
        #expect(try plan(Sample.state(used, free)).channel == WiFiChannel(band: .band5GHz, number: 48))
        let other = Sample.device("wlan1", radio: "phy1")
        #expect(try plan(Sample.state(used, other)).channel == .usual(in: .band2GHz))
        let unknown = Sample.device("wlan0", .connected, radio: "phy0")
        #expect(try plan(Sample.state(unknown, free)).channel == .usual(in: .band2GHz))
    }

    @Test(arguments: [5240, 6115] as [UInt32]) func aRadioOnAnotherChannelLeavesTheOtherInterface(
        frequency: UInt32
    ) throws {
        let used = Sample.device("wlan0", .connected, [], radio: "phy0", frequency: frequency)
        let error = refusal(Sample.state(used, Sample.device("wlan1", radio: "phy0")), .init(band: .band2GHz))
        #expect(error?.code == .noChannel)
        #expect(error?.message.hasPrefix("wlan1 shares its radio with wlan0, which is connected on a channel") == true)
        #expect(error?.remedy == "Disconnect it first:  nmcli device disconnect wlan0")
    }

    // MARK: Addresses

    @Test func withoutDnsmasqThereAreNoAddresses() throws {
        let plan = try plan(Sample.state(Sample.device(), uplinks: ["eth0"]), hasDnsmasq: false)
        #expect(plan.addresses == .linkLocal(.noDnsmasq))
    }

    @Test func aWayToTheInternetIsSharedOnRequestOnly() throws {
        let state = Sample.state(Sample.device(), uplinks: ["eth0"])
        #expect(try plan(state).addresses == .linkLocal(.uplink("eth0")))
        #expect(try plan(state, .init(sharesUplink: true)).addresses == .shared)
    }

    @Test func theWayThroughTheCardItselfEnds() throws {
        let state = Sample.state(Sample.device("wlan0", .connected), uplinks: ["wlan0"])
        #expect(try plan(state).addresses == .shared)
        let both = Sample.state(Sample.device("wlan0", .connected), uplinks: ["wlan0", "wwan0"])
        #expect(try plan(both).addresses == .linkLocal(.uplink("wwan0")))
    }

    // MARK: Refusals

    @Test func networkingThatIsOffIsToldFirst() {
        var state = Sample.state()
        (state.isNetworkingEnabled, state.isWiFiEnabled) = (false, false)
        let error = refusal(state)
        #expect(error?.code == .networkingOff)
        #expect(error?.remedy == "Switch it on again:  nmcli networking on")
    }

    @Test(arguments: [true, false]) func wiFiThatIsOffIsTold(hasCard: Bool) {
        var state = hasCard ? Sample.state(Sample.device("wlan0", .unavailable)) : Sample.state()
        state.isWiFiEnabled = false
        #expect(refusal(state)?.code == .wifiOff)
        #expect(refusal(state)?.remedy == "Switch it on:  nmcli radio wifi on")
        state.isWiFiSwitchOn = false
        #expect(refusal(state)?.code == .wifiOff)
        // No program can undo that.
        #expect(refusal(state)?.remedy == "Use the switch, or the key with the aeroplane.")
    }

    @Test func noCardIsTold() {
        let error = refusal(Sample.state())
        #expect(error?.code == .noWiFi)
        #expect(error?.remedy == "Use a cable between the machines, or plug in a Wi-Fi adapter.")
    }

    @Test func cardsThatNetworkManagerDoesNotUseAreTold() {
        let unmanaged = refusal(Sample.state(Sample.device("wlp3s0", .unmanaged)))
        #expect(unmanaged?.code == .unmanaged)
        #expect(unmanaged?.remedy == "Let it use the card:  sudo nmcli device set wlp3s0 managed yes")
        for state in [WiFiDevice.State.unavailable, .unknown] {
            let unavailable = refusal(Sample.state(Sample.device("wlp3s0", state)))
            #expect(unavailable?.code == .unavailable)
            #expect(unavailable?.remedy == "Look at the state:  nmcli device show wlp3s0")
        }
    }

    @Test func aPermissionThatIsMissingIsTold() throws {
        let error = refusal(Sample.state(Sample.device(), sharing: .no))
        #expect(error?.code == .noPermission)
        #expect(
            error?.remedy == "Run it in a terminal of the desktop session, or let the other laptop make the network."
        )
        // An agent of the desktop asks for the password.
        #expect(try plan(Sample.state(Sample.device(), sharing: .auth)).asksForPassword)
        #expect(try !plan(Sample.state(Sample.device())).asksForPassword)
    }

    @Test(
        arguments: [
            ([], ""), (["net.connman"], "; ConnMan manages the network here"),
            (["net.connman.iwd"], "; iwd manages the network here"),
            (["org.freedesktop.network1", ":1.1"], "; systemd-networkd manages the network here"),
        ] as [(Set<String>, String)]
    )
    func whatManagesTheNetworkInsteadIsTold(services: Set<String>, words: String) {
        let error = NetworkManagerError.noNetworkManager(services)
        #expect(error.code == .noNetworkManager)
        #expect(error.message.hasPrefix("NetworkManager does not run on this machine\(words). Without it, "))
        // Another program and NetworkManager would take the card from each other.
        #expect(error.remedy?.contains("sudo systemctl start NetworkManager") == words.isEmpty)
    }

    // MARK: Joining

    @Test func aFreeCardJoins() throws {
        let state = Sample.state(Sample.device("wlan0", .connected), Sample.device("wlan1", .failed, []))
        #expect(try state.deviceForJoining().interface == "wlan1")
        #expect(try Sample.state(Sample.device("wlan0", .connected)).deviceForJoining().interface == "wlan0")
        let error = #expect(throws: NetworkManagerError.self) { try Sample.state().deviceForJoining() }
        #expect(error?.code == .noWiFi)
        let unmanaged = Sample.state(Sample.device("wlan0", .unmanaged))
        #expect(#expect(throws: NetworkManagerError.self) { try unmanaged.deviceForJoining() }?.code == .unmanaged)
    }
}
