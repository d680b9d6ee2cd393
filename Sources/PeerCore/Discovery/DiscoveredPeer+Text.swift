extension DiscoveredPeer {
    /// The addresses as people write them, in the order in which to try: `192.168.1.7:4711`, `[fe80::1%wlan0]:4711`.
    package var addressTexts: [String] { addresses.map(\.displayText) }
}
