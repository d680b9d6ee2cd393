import PeerCore
import RegionSharing
import Sentences
import SharingReports
import Synchronization

extension RegionReceiver {
    /// Receives until a person stops the program.
    func runUntilStopped(at console: Console, from locate: @escaping Locating) async throws {
        let control = TransferControl()
        let hasFound = Atomic(false)
        try await Interruption.watch {
            control.cancel(reason: "it was interrupted.")
            // Without a transfer, there is no peer to notify.
            return hasFound.load(ordering: .sequentiallyConsistent)
        } isSaying: {
            control.openTransferCount > 0
        } isAnswer: {
            // After the transfer, only the name of the peer is asked for.
            hasFound.load(ordering: .sequentiallyConsistent) && control.openTransferCount == 0 && console.refuse()
        } conclude: { error in
            if case ReceivingError.someReceived = error { return error }
            guard let kept = (error as? IncompleteReception)?.kept else {
                return CommandError(.interrupted, "Interrupted; no region was received.")
            }
            let interruption = CommandError(.interrupted, "Interrupted; the region is not complete.")
            return IncompleteReception(underlying: interruption, kept: kept)
        } _: {
            let locating: Locating = { refusing, limit in
                hasFound.store(false, ordering: .sequentiallyConsistent)
                let location = try await locate(refusing, limit)
                hasFound.store(true, ordering: .sequentiallyConsistent)
                return location
            }
            try await run(from: locating, control)
        }
    }
}

extension RegionKeeper {
    /// Receives until a person stops the program.
    func runUntilStopped() async throws {
        let control = TransferControl()
        try await Interruption.watch { [self] in
            control.cancel(reason: "it was interrupted.")
            return isVisiting
        } isSaying: {
            control.openTransferCount > 0
        } conclude: { _ in
            CommandError(.interrupted, "Interrupted; no longer receiving.")
        } _: { [self] in
            try await run(control)
        }
    }
}
