package import MapPages
import PeerCore
package import RegionSharing
package import SharingReports
import Synchronization

/// What the window shows of a sender: where it is, with the QR codes, and how far its transfers are.
package final class WindowSender: Sendable {
    private struct State {
        var facts: ListeningFacts?
        /// The Wi-Fi network that this machine has made; nil for none.
        var hotspot: MadeNetwork?
        /// The page for phones; nil for none.
        var page: PhonePageFacts?
    }

    package let progress: WindowProgress
    /// The phones to which this machine can send.
    let phones: PhoneList
    private let state = Mutex(State())

    package init(in window: AppWindow) {
        progress = WindowProgress(in: window, isReceiver: false)
        phones = PhoneList(in: window)
    }

    /// Shows the network from now on, when the sender listens.
    package func show(_ hotspot: MadeNetwork) { state.withLock { $0.hotspot = hotspot } }

    /// Shows the page from now on, when the sender listens.
    package func show(_ page: PhonePageFacts) { state.withLock { $0.page = page } }

    /// Tells where the sender is.
    package func begin(_ facts: ListeningFacts, _ person: WindowPerson) {
        state.withLock { $0.facts = facts }
        if facts.usualPort != nil {
            person.note("Another program uses the usual port, so this sender listens on port \(facts.port).")
        }
        if let firewall = person.surroundings.firewall() {
            person.note(
                "The firewall \(firewall) is active. If the other machine cannot connect, open TCP port \(facts.port) in it."
            )
        }
        show(facts, person)
        if facts.addresses.isEmpty { tellOfNetwork(person) }
    }

    /// Tells where the sender is after a change.
    package func moved(_ change: AddressChange, _ person: WindowPerson) {
        let facts = state.withLock { state in
            state.facts?.addresses = change.addresses
            state.facts?.link = change.link
            return state.facts
        }
        switch change.meaning {
        case .away: tellOfNetwork(person)
        case .back: person.note("Back on the network.")
        case .same: break
        case .new:
            person.note(change.text)
            if let facts { show(facts, person) }
        }
    }

    private func tellOfNetwork(_ person: WindowPerson) {
        for hint in person.surroundings.networkHints().compactMap(\.window) { person.note(hint) }
    }

    private func show(_ facts: ListeningFacts, _ person: WindowPerson) {
        person.emit(Self.text(facts))
        let (page, hotspot) = state.withLock { ($0.page, $0.hotspot) }
        if let page { person.emit(PlainReport.page(page, at: facts.addresses, naming: "").text) }
        let url = page?.address.urls(for: facts.addresses).first
        if let codes = Self.codes(facts.link, url, hotspot) {
            person.window.tell(AppWindowText([]), drawings: codes.items.map { AppWindowDrawing($0) })
        }
    }

    /// What is sent, and what to choose on the other laptop.
    package static func text(_ facts: ListeningFacts) -> DisplayText {
        let report = ListeningReport(facts: facts)
        guard !facts.addresses.isEmpty else { return report.windowHeading.joined(separator: "\n") }
        let start: DisplayText = "On the other laptop, open hikeshare and choose "
        var lines: [DisplayText] = []
        if facts.isAdvertised {
            lines.append(
                facts.link?.network == nil
                    ? "\(start)“Receive a map”."
                    : "\(start)“Other ways”, “Join the Wi-Fi network that the sender has made”, then “Receive a map”."
            )
        }
        if let link = facts.link {
            let lead: DisplayText = facts.isAdvertised ? "If it does not find you, choose " : start
            lines.append("\(lead)“Other ways”, “I have a share link”, and paste there:  \(link.text, .command)")
        }
        return (report.windowHeading + [""] + lines + [""] + report.conditions).joined(separator: "\n")
    }

    /// The codes of the share link and of the page; with a network of this machine's own, that of the network and one of the two.
    private static func codes(_ link: ShareLink?, _ page: String?, _ hotspot: MadeNetwork?) -> QRCodeSheet? {
        if let hotspot {
            return page.flatMap { hotspot.codes("2. Open the page", $0) } ?? link.flatMap { hotspot.codes(with: $0) }
        }
        let all = [("The page, for phones", page), ("Share link, for laptops", link?.text)]
        return QRCodeSheet(
            all.compactMap { caption, text in
                text.flatMap { QRCode($0) }.map { QRCodeSheet.Item(caption: caption, code: $0) }
            }
        )
    }
}
