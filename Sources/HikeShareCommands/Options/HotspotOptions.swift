import ArgumentParser
import NetworkManager
import SharingReports

extension WiFiChannel.Band: ExpressibleByArgument {}

/// The options of a Wi-Fi network that a sender makes.
struct HotspotOptions: ParsableArguments {
    @Flag(help: "Make a Wi-Fi network for the receivers, and return to the current one at the end.")
    var hotspot = false

    @Option(
        help: ArgumentHelp(
            "Band of the Wi-Fi network in GHz: 2.4, or 5, which is faster but not possible everywhere (default: 2.4).",
            valueName: "band"
        )
    )
    var hotspotBand: WiFiChannel.Band?

    @Flag(help: "Let machines in the Wi-Fi network use this machine's internet connection.")
    var shareInternet = false

    /// What the person wishes.
    var wishes: HotspotPlan.Wishes { HotspotPlan.Wishes(band: hotspotBand, sharesUplink: shareInternet) }

    func validate() throws {
        guard hotspot || hotspotBand == nil && !shareInternet else {
            throw ValidationError("--hotspot-band and --share-internet need --hotspot.")
        }
    }
}
