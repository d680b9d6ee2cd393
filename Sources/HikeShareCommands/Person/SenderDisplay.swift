import PeerCore
import RegionSharing
import RegionStore
import SharingReports

/// What the terminal shows of a sender while it sends.
struct SenderDisplay: Sendable {
    let network: NetworkDisplay
    let progress: ProgressDisplay

    init(on console: Console) { (network, progress) = (NetworkDisplay(on: console), ProgressDisplay(on: console)) }
}
