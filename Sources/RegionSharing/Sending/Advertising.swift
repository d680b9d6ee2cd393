import Logging
import PeerCore

/// Announces a sender.
struct Advertising: Sendable {
    var local: LocalPeer
    var info: DiscoveryInfo
    var console: Console

    /// Announces the sender until the task is cancelled.
    ///
    /// Errors are shown, and the sender continues without an announcement.
    func run(port: Int) async {
        do {
            try await PeerAdvertiser(serviceType: local.application).withAdvertisement(
                instanceName: local.displayName,
                port: port,
                info: info
            ) { events in
                var isInterrupted = false
                for await event in events { tell(event, &isInterrupted) }
            }
        } catch  where Task.isCancelled {
            return
        } catch {
            console.warn(ProblemReport(error, severity: .warning))
        }
    }

    /// Tells of an event, and of the end of an interruption that a person knows of.
    private func tell(_ event: PeerAdvertiserEvent, _ isInterrupted: inout Bool) {
        Software.logger("discovery").debug(
            "announcement",
            metadata: ["event": "\(String(describing: event).prefix { $0 != "(" })"]
        )
        switch event {
        case .published(let name):
            console.emitForPrograms(AdvertisedReport(name: name))
            if isInterrupted { console.note("Discovery works again; this machine is announced as \(name)") }
            isInterrupted = false
        case .renamed(let name):
            console.note("Another machine nearby has this name; this one is now announced as \(name)")
        case .withdrawn:
            console.note("Discovery stopped; the share link and the addresses still work")
            isInterrupted = true
        case .failed(let error):
            isInterrupted = true
            console.warn(ProblemReport(error, severity: .warning))
        }
    }
}
