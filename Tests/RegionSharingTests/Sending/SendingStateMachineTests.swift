import FoundationEssentials
import SharingTestSupport
import Testing

@testable import PeerCore
@testable import RegionSharing
@testable import RegionStore

/// What a sender decides, in all orders of what happens.
@Suite struct SendingStateMachineTests {
    private let start = ContinuousClock.now

    private static func machine(
        _ consent: Consent = .knownMachines,
        patience: Duration? = nil
    ) throws -> SendingStateMachine {
        SendingStateMachine([try Sample.region()], consent, patience: patience)
    }

    @Test func aSenderWithoutALimitGoesOn() throws {
        var machine = try Self.machine()
        for seconds in [0, 1, 86_400, 10_000_000] {
            machine.ticked(openCount: 0, hasReader: true, at: start + .seconds(seconds))
        }
        #expect(machine.end == nil)
    }

    @Test func theTimeBeginsAnewAfterATransfer() throws {
        var machine = try Self.machine(patience: .seconds(60))
        func end(_ openCount: Int, _ seconds: Double) -> SendingStateMachine.End? {
            machine.ticked(openCount: openCount, hasReader: true, at: start + .seconds(seconds))
            return machine.end
        }
        for (count, seconds) in [(0, 0), (0, 59.9), (1, 60), (1, 1000), (0, 1001), (0, 1060.9)] {
            #expect(end(count, seconds) == nil)
        }
        #expect(end(0, 1061) == .failed(.noReceiver(.seconds(60))))
    }

    /// What a companion has given counts as something that was sent.
    @Test func aCompanionThatHasGivenSomethingMakesItServed() {
        let start = ContinuousClock.now
        for hasSent in [true, false] {
            var machine = SendingStateMachine([], .person, patience: .seconds(60))
            machine.ticked(openCount: 0, companionHasSent: hasSent, hasReader: true, at: start)
            machine.ticked(openCount: 0, hasReader: true, at: start + .seconds(60))
            #expect(machine.end == (hasSent ? .served : .failed(.noReceiver(.seconds(60)))))
        }
    }

    @Test func aTransferIsNotStoppedForAReader() throws {
        var machine = try Self.machine()
        machine.ticked(openCount: 1, hasReader: false, at: start)
        #expect(machine.end == nil)
        machine.ticked(openCount: 0, hasReader: false, at: start + .seconds(1))
        #expect(machine.end == .failed(.unread))
    }

    /// Something that happens in the small world.
    private enum Input: CaseIterable {
        case strangerAsks, friendAsks, friendAsksWithDigits, linkHolderAsks, oddlyAsked
        case yes, no, withdrawn
        case strangerHas, friendLost, friendPicks, nobodyLost
        case time, stop, networkEnds
    }

    /// The machine, and what an observer knows of it.
    private struct World {
        var machine: SendingStateMachine
        let consent: Consent
        let isAfterFirst: Bool
        let stranger = Sample.remotePeer(name: "Stranger")
        var friend = Sample.remotePeer(name: "Friend")
        var holder = Sample.remotePeer(name: "Holder")
        let regions: [RegionSummary]
        var now = ContinuousClock.now
        var isAsked = false
        /// Those that were let in last, by name.
        var letIn: Set<String> = []
        var decided: Set<String> = []
        var hasSent = false
        /// Why it must have ended; nil for no reason.
        var end: SendingStateMachine.End?

        init(_ consent: Consent, isAfterFirst: Bool) throws {
            let ids = ["52C93677-A1E3-457E-B4A3-E87F040845A4", "52C93677-A1E3-457E-B4A3-E87F040845A5"]
            regions = try ids.map { try Sample.region(id: try Sample.uuid($0)) }
            (self.consent, self.isAfterFirst) = (consent, isAfterFirst)
            machine = SendingStateMachine(regions, consent, isAfterFirst: isAfterFirst, patience: .seconds(60))
            friend.trust = .trusted(name: "Friend")
            holder.isAdmittedByShareLink = true
        }

        mutating func perform(_ input: Input) {
            switch input {
            case .strangerAsks: ask(stranger, hasDigits: true, mayEnter: false)
            case .friendAsks: ask(friend, hasDigits: false, mayEnter: true)
            case .friendAsksWithDigits: ask(friend, hasDigits: true, mayEnter: consent != .person)
            case .linkHolderAsks: ask(holder, hasDigits: true, mayEnter: true)
            case .oddlyAsked:
                guard case .decline(.notUnderstood) = machine.invited(friend, nil, at: Sample.date) else {
                    Issue.record("What is not understood is let in.")
                    return
                }
                decide(friend, isIn: false)
            case .yes: answer(.yes)
            case .no: answer(.no(.byPerson))
            case .withdrawn: answer(nil)
            case .strangerHas: finish(stranger, .success(TransferReceipt(imported: ["waypoints": 1_000_000])), 1)
            case .friendLost: finish(friend, .failure(PeerError(.connectionLost, "Lost.")), 0)
            case .friendPicks: finish(friend, .success(TransferReceipt(imported: ["mbtiles": 1])), 0, isLast: false)
            case .nobodyLost: finish(nil, .failure(PeerError(.connectionLost, "Lost.")), nil)
            case .time:
                now += .seconds(60)
                machine.ticked(openCount: 0, hasReader: true, at: now - .seconds(60))
                machine.ticked(openCount: 0, hasReader: true, at: now)
                end = end ?? (hasSent ? .served : .failed(.noReceiver(.seconds(60))))
            case .stop:
                machine.stopped()
                end = end ?? .failed(.stopped)
            case .networkEnds:
                machine.networkEnded()
                end = end ?? .networkEnded
            }
            #expect(machine.end == end, "the first reason counts, at once")
        }

        private mutating func decide(_ peer: RemotePeer, isIn: Bool) {
            decided.insert(peer.displayName)
            if isIn { letIn.insert(peer.displayName) } else { letIn.remove(peer.displayName) }
        }

        private mutating func ask(_ peer: RemotePeer, hasDigits: Bool, mayEnter: Bool) {
            let digits = hasDigits ? PairingDigits(digits: "012345") : nil
            let question = InvitationQuestion(peer: peer, regionName: "Coma Pedrosa", regionCount: 2, digits: digits)
            switch machine.invited(peer, question, at: Sample.date) {
            case .accept:
                #expect(mayEnter || consent == .everything, "nobody is let in without a yes, an admission or trust")
                decide(peer, isIn: true)
            case .ask:
                #expect(consent == .person && !mayEnter, "only a person is asked, and only about others")
                isAsked = peer == stranger
            case .decline:
                #expect(consent == .knownMachines && !mayEnter)
                decide(peer, isIn: false)
            }
        }

        private mutating func answer(_ answer: InvitationQuestion.Answer?) {
            guard isAsked else { return }
            isAsked = false
            let effect = machine.answered(answer, about: stranger, at: Sample.date)
            let isIn = if case .acceptAndPin = effect { true } else { false }
            #expect(isIn == (answer == .yes), "only a yes lets it in")
            if answer != nil { decide(stranger, isIn: isIn) }
        }

        private mutating func finish(
            _ peer: RemotePeer?,
            _ result: Result<TransferReceipt, any Error>,
            _ picked: Int?,
            isLast: Bool = true
        ) {
            let finished = TransferSender.Finished(
                transfer: 1,
                peer: peer,
                result: result,
                bytesTransferred: 5,
                bytesSaved: 0,
                unknownKinds: [],
                offer: picked.map { regions[$0].id }
            )
            let action = machine.finished(finished, isLast: isLast, at: Sample.date)
            guard let peer, let picked else {
                #expect(action.told == nil && action.entry == nil)
                return
            }
            let isIn = letIn.contains(peer.displayName)
            #expect(action.told?.region?.id == regions[picked].id, "what is told is what was picked")
            #expect((action.told?.decision == nil) == !decided.contains(peer.displayName))
            #expect((action.told?.decline == nil) == (isIn || !decided.contains(peer.displayName)))
            #expect((action.entry != nil) == isIn, "what was not let in is not recorded as sent")
            if case .success(let receipt)? = action.told?.finished.result {
                #expect(
                    receipt.imported["waypoints"] ?? 0 <= regions[picked].waypointCount,
                    "no more is told than was sent"
                )
                #expect(action.entry.map { $0.outcome == .completed } ?? true)
                if isLast {
                    hasSent = true
                    if isAfterFirst { end = end ?? .first }
                }
            } else {
                #expect(action.entry.map { $0.outcome == .abandoned } ?? true)
            }
            guard isLast else { return }
            letIn.remove(peer.displayName)
            decided.remove(peer.displayName)
        }
    }

    @Test(arguments: [Consent.person, .knownMachines, .everything], [false, true])
    func everyOrderIsDecidedRight(consent: Consent, isAfterFirst: Bool) throws {
        func explore(_ world: World, _ depth: Int) {
            guard depth > 0 else { return }
            for input in Input.allCases {
                var next = world
                next.perform(input)
                explore(next, depth - 1)
            }
        }
        explore(try World(consent, isAfterFirst: isAfterFirst), 4)
    }

    /// Without its receipt, nobody knows whether the receiver has the region.
    @Test func aTransferWithoutAReceiptIsNotComplete() throws {
        var machine = SendingStateMachine([try Sample.region()], .everything, isAfterFirst: true)
        let peer = Sample.remotePeer()
        _ = machine.invited(peer, InvitationQuestion(peer: peer, regionName: "Coma Pedrosa"), at: Sample.date)
        let finished = TransferSender.Finished(
            transfer: 1,
            peer: peer,
            result: .failure(PeerError(.outcomeUnknown, "Lost.")),
            bytesTransferred: 5,
            bytesSaved: 0,
            unknownKinds: []
        )
        #expect(machine.finished(finished, at: Sample.date).entry?.outcome == .unconfirmed)
        #expect(machine.end == nil)
    }

    @Test func whatWasToldIsTrueAgainWhenItComesBack() {
        var told = ToldAddresses(["10.0.0.1:1", "10.0.0.2:1"])
        #expect(told.changed(to: ["10.0.0.1:1", "10.0.0.2:1"]) == nil)
        #expect(told.changed(to: ["10.0.0.1:1"]) == .same)
        #expect(told.changed(to: []) == .away)
        #expect(told.changed(to: ["10.0.0.2:1"]) == .back)
        #expect(told.changed(to: ["10.0.0.2:1", "10.0.0.1:1"]) == .new)
        #expect(told.changed(to: ["10.0.0.3:1"]) == .new)
    }
}
