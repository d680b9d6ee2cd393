import FaultInjection
import Foundation

/// Receives what is offered into a store, and is killed before the step of a given number.
///
///     FaultyReceiver OFFER FOLDER STEP FIRST-TRY HAS-LINKS
@main enum FaultyReceiver {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 6, let step = Int(arguments[3]) else { exit(64) }
        let reception = Reception(offer: try Offer(in: arguments[1]), firstTry: Int(arguments[4]))
        let recorder = StepRecorder(in: arguments[2], .kill(before: step), hasLinks: arguments[5] == "true")
        try reception.run("store", recorder)
    }
}
