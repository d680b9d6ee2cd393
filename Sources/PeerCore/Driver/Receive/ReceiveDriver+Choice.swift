import FoundationEssentials
import NIOConcurrencyHelpers
import NIOPosix

/// Picks from several offers, and receives them one after the other.
extension ReceiveDriver {
    func receivedCatalogue(_ body: Data) {
        guard context.picking != nil, let peer else { return perform(machine.receivedOther(.catalogue)) }
        do {
            let catalogue = try choice.receivedCatalogue(body, limits: lifecycle.configuration.limits)
            lifecycle.disarm(.manifest)
            lifecycle.arm(.offer, after: lifecycle.configuration.offerTimeout)
            context.report(peer, .transfer(.connected))
            let question = OfferPicking.Offer(peer: peer, catalogue: catalogue, pairing: conversation.state.digits)
            jobs.add { await self.pick(from: question) }
        } catch {
            perform(machine.receivedInvalid(error))
        }
    }

    private func pick(from question: OfferPicking.Offer) async {
        guard let picking = context.picking else { return }
        let answer: OfferPicking.Answer
        do {
            answer = try await EventLoopExecutor.offEventLoop { try await picking.decide(question) }
        } catch {
            return fail(error, telling: .cannotTakeOffer(because: error))
        }
        guard machine.end == nil else { return }
        lifecycle.disarm(.offer)
        if case .pickAndPin = answer { await handle(conversation.compared(isSame: true, at: .now)) }
        guard machine.end == nil else { return }
        let refusal: Refusal
        switch answer {
        case .pick(let ids), .pickAndPin(let ids):
            if let pick = choice.picked(ids) {
                lifecycle.send(.pick(pick))
                conversation.settlePairing()
                return awaitManifest()
            }
            refusal = Refusal(.declined, "the receiver wants nothing of the list.")
        case .decline(let reason):
            refusal = reason
        }
        finish(machine.finish(.declined(refusal)))
    }

    /// One of the picked offers is committed, and another one follows.
    func received(_ acknowledgement: Acknowledgement) async {
        lifecycle.logEnd(.completed(acknowledgement))
        context.report(peer, .transfer(.completed(TransferReceipt(acknowledgement))))
        let result = try? TransferReceiver.Result(outcome)
        awaitNextOffer()
        guard let result else { return }
        await EventLoopExecutor.offEventLoop { [context] in await context.picking?.received(result) }
    }

    /// Forgets the transfer at hand, and awaits the next one.
    func awaitNextOffer() {
        machine = ReceiverStateMachine(limits: lifecycle.configuration.limits)
        _ = machine.start()
        // What is still being located is no longer needed.
        reception.isStopped.withLockedValue { $0 = true }
        reception = Reception()
        progress = ProgressMeter.Reports()
        lanes.beginTransfer()
        lifecycle.disarm(.progress)
        awaitManifest()
    }

    /// Awaits a manifest for which the sender may have work to do.
    private func awaitManifest() {
        lifecycle.arm(.manifest, after: lifecycle.configuration.workTimeout(forBytes: 0))
        lifecycle.noteState(machine.stateName)
    }
}
