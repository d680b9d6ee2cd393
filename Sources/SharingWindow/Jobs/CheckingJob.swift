import MapPages
package import PeerCore
import RegionSharing
import Sentences
import SharingReports

/// The search for what hinders sharing: on this machine, and on the way to others.
package struct CheckingJob: AppWindowJob {
    package let desk: WindowDesk
    /// The addresses of the only machine to which the way is examined; empty for all that are found.
    package var addresses: [PeerAddress] = []

    package init(at desk: WindowDesk, addresses: [PeerAddress] = []) { (self.desk, self.addresses) = (desk, addresses) }

    package var title: String {
        addresses.isEmpty ? "Checking this machine" : "Checking the way to another machine"
    }

    package func run(_ stops: AsyncStream<Void>) async throws {
        let person = WindowPerson(at: desk)
        person.show("Looking at this machine and its networks. This takes some seconds…")
        defer { person.show(nil) }
        try await WindowStop.watch(stops) {
            false
        } conclude: { _ in
            CommandError(.interrupted, "Interrupted.")
        } _: {
            Self.tell(try await desk.surroundings.examine(desk.path, addresses), person)
        }
    }

    /// Tells the findings; the last line is at the top of the page, so it is the most important one.
    static func tell(_ report: DoctorReport, _ person: WindowPerson) {
        for (isObstacle, texts) in report.paragraphs.reversed() {
            let text = AppWindowText(texts.flatMap { AppWindowText($0).blocks })
            if isObstacle { person.window.tell(warning: text) } else { person.window.tell(text) }
        }
        if let verdict = report.verdict { person.emit(verdict) }
    }
}
