import PeerTestSupport
import Testing

@testable import PeerCore

@Suite(.timeLimit(.minutes(10))) struct TransferControlTests {
    @Test func whoComesLaterLearnsOfItAtOnce() async {
        let control = TransferControl()
        #expect(!control.isCancelled)
        control.cancel(reason: "rain")
        control.cancel(reason: "snow")
        #expect(control.isCancelled)
        #expect(await control.cancellation()?.reason == "rain")
    }

    @Test func everybodyWhoWaitsLearnsOfIt() async {
        let control = TransferControl()
        await withTaskGroup(of: String?.self) { group in
            for _ in 0..<20 { group.addTask { await control.cancellation()?.reason } }
            group.addTask {
                control.cancel(reason: "rain")
                return "rain"
            }
            for await reason in group { #expect(reason == "rain") }
        }
    }

    @Test func oneTransferIsStoppedAlone() async {
        let control = TransferControl()
        let stopped = Locked<[Int]>([])
        await control.onCancel(of: 1) { _ in
            stopped.withLock { $0.append(1) }
        } during: {
            await control.onCancel(of: 2) { told in
                #expect(told.reason == "rain")
                stopped.withLock { $0.append(2) }
            } during: {
                #expect(control.cancel(transfer: 2, reason: "rain"))
                #expect(!control.cancel(transfer: 3, reason: "rain"))
            }
            #expect(!control.cancel(transfer: 2, reason: "rain"))
        }
        #expect(stopped.value == [2])
        #expect(!control.isCancelled)
    }

    @Test func aCancelledTaskWaitsNoLonger() async {
        let control = TransferControl()
        await withTaskGroup(of: Cancellation?.self) { group in
            for _ in 0..<20 { group.addTask { await control.cancellation() } }
            group.cancelAll()
            for await cancellation in group { #expect(cancellation == nil) }
        }
        #expect(!control.isCancelled)
    }

    @Test(arguments: [true, false]) func aHandlerIsToldAtOnceAndOnlyDuringItsScope(isBefore: Bool) async {
        let control = TransferControl()
        let reasons = Locked<[String]>([])
        let note: @Sendable (Cancellation) -> Void = { told in reasons.withLock { $0.append(told.reason) } }
        if isBefore { control.cancel(reason: "rain") }
        await control.onCancel(note) {
            control.cancel(reason: "rain")
            #expect(reasons.value == ["rain"])
        }
        let later = TransferControl()
        await later.onCancel(note) {}
        later.cancel(reason: "snow")
        #expect(reasons.value == ["rain"])
    }
}
