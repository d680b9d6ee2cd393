import FoundationEssentials
import NIOCore

/// Makes several offers, one after the other.
extension SendDriver {
    /// Shows the receiver what there is.
    func send(_ catalogue: Catalogue) {
        lifecycle.send(.catalogue(catalogue.body))
        awaitAnswer()
    }

    /// The receiver says what it wants.
    func receivedPick(_ pick: OfferPick) async {
        await handle(conversation.receivedSelection())
        guard machine.end == nil else { return }
        do {
            let id = try choice.receivedPick(pick)
            context.slot.admission.offerAnswered(context.slot.number)
            lifecycle.disarm(.offer)
            offer(id)
        } catch {
            perform(machine.receivedInvalid(error))
        }
    }

    /// Ends the transfer at hand, and makes the next offer if the receiver has picked more.
    func conclude(_ action: OnTransferEvent) async {
        guard case .end(let end) = action else { return }
        let finished = TransferSender.Finished(outcome, transfer: context.slot.number)
        guard end.concernsOneOffer, let next = choice.concluded() else { return finish(end) }
        lifecycle.logEnd(end)
        report(end)
        beginTransfer()
        await EventLoopExecutor.offEventLoop { [context] in await context.choice?.concluded(finished) }
        // The receiver may have left meanwhile.
        if machine.end == nil { offer(next) }
    }

    /// Forgets the transfer at hand.
    private func beginTransfer() {
        machine = SenderStateMachine(manifest: manifest, limits: lifecycle.configuration.limits)
        progress = ProgressMeter.Reports()
        turn.leave()
        selection = nil
        content = nil
        // The job that answers requests ends with its queue, also if it has not answered all.
        offerNumber += 1
        responses.finish()
        responses = ResponseQueue()
        lanes.beginTransfer()
        lifecycle.disarm(.offer)
        lifecycle.disarm(.progress)
    }

    private func offer(_ id: UUID) {
        guard let choice = context.choice, let invitation else { return }
        make { try await choice.source(invitation, id) }
    }
}

extension Conversation.End {
    /// Whether the conversation may continue with another offer.
    fileprivate var concernsOneOffer: Bool {
        switch self {
        case .completed, .declinedByPeer: true
        default: false
        }
    }
}
