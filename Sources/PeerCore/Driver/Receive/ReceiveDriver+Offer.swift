import FoundationEssentials
import NIOCore
import NIOPosix

/// Decides on the sender's offer and commits the transfer.
extension ReceiveDriver {
    func receivedManifest(_ body: Data) async {
        lifecycle.disarm(.manifest)
        await perform(machine.receivedManifest(body))
    }

    func ask(_ manifest: Manifest) {
        guard let peer else { return }
        do {
            try choice.receivedManifest(manifest.id)
        } catch {
            return perform(machine.receivedInvalid(error))
        }
        reception.manifest = manifest
        lifecycle.arm(.offer, after: lifecycle.configuration.offerTimeout)
        context.report(peer, .transfer(.connected))
        let question = TransferOffer(
            peer: peer,
            manifest: manifest,
            // The person has compared them when it has picked this offer.
            pairing: choice.hasPicked ? nil : conversation.state.digits,
            isPairingConfirmedByPeer: conversation.state.isConfirmedByPeer
        )
        jobs.add { await self.decide(on: question) }
    }

    /// Whether an offer is the one at hand.
    private func isAtHand(_ question: TransferOffer) -> Bool { reception.manifest?.id == question.manifest.id }

    private func decide(on question: TransferOffer) async {
        var answer: OfferAnswer
        do {
            // An offer that cannot be accepted is refused before a person is asked.
            try await context.pool.runIfActive { [context] in try context.sink.examine(question.manifest) }
        } catch {
            return await refuse(question.manifest.id, error)
        }
        do {
            var question = question
            question.estimate = await estimate(question.manifest)
            question.turn = reception.turn
            question.interface = lifecycle.connection.channel.localAddress?.interfaceName ?? ""
            guard machine.end == nil else { return }
            answer = try await EventLoopExecutor.offEventLoop { [context, question] in
                try await context.decide(question)
            }
        } catch {
            guard isAtHand(question) else { return }
            return fail(error, telling: .cannotTakeOffer(because: error))
        }
        // The time to answer may have been over, and the answer is not one to the next offer.
        guard isAtHand(question) else { return }
        do {
            lifecycle.disarm(.offer)
            if let wished = answer.kinds, machine.end == nil {
                let kinds = wished.intersection(question.manifest.entries.map(\.kind))
                if case .acceptAndPin = answer { await handle(conversation.compared(isSame: true, at: .now)) }
                guard machine.end == nil else { return }
                reception.transfer = try await context.pool.runIfActive { [context] in
                    try context.sink.begin(question.manifest, accepting: kinds, from: question.peer)
                }
                answer = .accept(kinds)
            }
            self.answer(answer)
            // In turn with the parts that arrive, because both change the state of the reception.
            await inTurn { await beginListed() }
        } catch {
            fail(error)
        }
    }

    /// Refuses an offer that cannot be accepted; if others follow, it alone is passed over.
    private func refuse(_ id: UUID, _ error: any Error) async {
        guard machine.end == nil, choice.hasMore, let picking = context.picking, !Task.isCancelled else {
            return fail(error, telling: .cannotTakeOffer(because: error))
        }
        await EventLoopExecutor.offEventLoop { await picking.refused(id, error) }
        // The sender may have left meanwhile.
        guard machine.end == nil else { return }
        answer(.decline(Refusal(.declined, "it cannot be added there.")))
    }

    /// Begins the resources whose digests came before the person answered.
    private func beginListed() async {
        for position in reception.arrivals.keys.sorted() where machine.end == nil {
            // If it is being located, it begins when that ends.
            if reception.arrivals[position]?.accept() == true { await begin(position) }
            noteProgress()
        }
    }

    func answer(_ answer: OfferAnswer) {
        lifecycle.disarm(.offer)
        switch answer {
        case .accept(let kinds), .acceptAndPin(let kinds):
            let unknown = reception.entries.map(\.kind).filter { !context.sink.understands($0) }
            guard case .sendSelection(let selection) = machine.offerAccepted(kinds, unknown: unknown) else { return }
            for (position, entry) in reception.entries.enumerated() where selection.kinds.contains(entry.kind) {
                progress.meter.expect(position, kind: entry.kind, size: entry.size)
            }
            reception.arrivals = reception.arrivals.filter { selection.kinds.contains($0.value.entry.kind) }
            // What was said before was about the offer.
            reception.reportedTurn = reception.turn
            lifecycle.send(.selection(selection))
            lifecycle.noteState(machine.stateName)
            conversation.settlePairing()
            noteProgress()
        case .decline(let refusal):
            guard case .sendDecline = machine.offerDeclined(refusal) else { return }
            guard choice.declined() else { return finish(.declined(refusal)) }
            lifecycle.send(.decline(refusal))
            awaitNextOffer()
        }
    }
}

extension Failure {
    /// The failure for a sender whose offer cannot be accepted.
    ///
    /// It reveals neither the store's contents nor how much space is free.
    static func cannotTakeOffer(because error: any Error) -> Failure {
        let isOfStorage = (error as? any ReportableError)?.isOfStorage == true
        let reason = isOfStorage ? ", because its disk is too full or fails" : ""
        return Failure(
            code: "cannotTake",
            message: "The receiver cannot accept the offer\(reason). Its screen shows why."
        )
    }
}
