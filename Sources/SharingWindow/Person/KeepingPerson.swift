import FoundationEssentials
package import MapPages
package import RegionSharing
import SharingReports

/// Nobody: what keeps the regions up to date asks nothing, and the window says what it has done.
package struct KeepingPerson: Person {
    private let window: AppWindow

    package init(in window: AppWindow) { self.window = window }

    package func tell(_ happening: Happening) {
        switch happening {
        case .problem(let error): warn(error)
        case .keeping(.waiting): break
        case .keeping(.leftOut(let left)): window.tellKeeping(AppWindowText(left.text(typed: false)))
        case .keeping(.received(let region)):
            window.tellKeeping(
                AppWindowText(PlainReport.kept(region).text),
                region: region.regionID.uuidString,
                drawings: region.drawings
            )
        // A reception that goes on is shown, and the rest is for the one who has asked for it.
        case .receiving, .finding, .networks, .sending, .phones, .importing, .stick: break
        }
    }

    package func ask<Asked: Question>(_ question: Asked) async throws -> Asked.Answer { question.defaultAnswer }

    private func warn(_ error: any Error) {
        window.tellKeeping(
            AppWindowText(ProblemReport(error, severity: .warning).windowText),
            isProblem: true
        )
    }
}
