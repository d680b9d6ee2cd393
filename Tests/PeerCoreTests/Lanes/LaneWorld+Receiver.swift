import NIOCore
import PeerProtocol
import PeerTestSupport

@testable import PeerCore

/// The receiver, as its driver performs what its machines decide.
extension LaneWorld {
    mutating func deliver(on connection: Int) {
        guard let part = queues[connection]?.removeFirst() else { return }
        switch part {
        case .digests(let part): locate(receiver.receivedDigests(part))
        case .lanes(let invitation):
            guard case .openLanes = receiver.receivedLanes(invitation) else { return fail("lanes are refused") }
            for lane in receiverLanes.invited(invitation.count) { joining[lane] = invitation.secret }
        case .header(let header):
            let action = receiver.receivedData(header, on: connection)
            if action != .none { failure = "\(header) on \(connection): \(action)" }
        case .bytes(let count): keep(count, connection)
        case .allDispatched(let allDispatched):
            guard case .awaitEndOfLanes(let position) = receiver.receivedAllDispatched(allDispatched) else {
                return fail("\(allDispatched) is refused")
            }
            receiverLanes.receivedAllDispatched(position, at: .now)
            askForLost()
        case .done(let completion):
            let action = receiver.receivedDone(completion)
            isDone = action == .commit
            if !isDone { failure = "\(action)" }
        case .end:
            queues[connection] = nil
            receiverLanes.ended(connection)
            receiver.laneEnded(connection)
            askForLost()
        }
    }

    private mutating func locate(_ action: ReceiverStateMachine.Action) {
        guard case .locateChunks(let position, let digests) = action,
            let runs = manifest.entries[position].layout.runs(validating: digests.isEmpty ? [] : [0..<digests.count])
        else { return fail("\(action)") }
        switch receiver.chunksLocated(position, missing: runs) {
        case .sendRequest(let request): replies.append(.request(request))
        case .sendRequestAndStore(let request):
            replies.append(.request(request))
            store(position)
        case let action: fail("\(action)")
        }
    }

    /// Some of a frame's bytes arrive at a time.
    private mutating func keep(_ count: Int, _ connection: Int) {
        let now = Int.random(in: 1...count, using: &random)
        if now < count { queues[connection]?.insert(.bytes(count - now), at: 0) }
        switch receiver.receivedBytes([ByteBuffer(repeating: 0, count: now)], on: connection) {
        case .keep(_, _, isWhole: false): break
        case .keep(let position, _, isWhole: true): store(position)
        case let action: failure = "\(count) bytes on \(connection): \(action)"
        }
    }

    private mutating func store(_ position: Int) {
        guard case .sendConfirmation(let confirmation) = receiver.resourceStored(position) else {
            return fail("not stored")
        }
        replies.append(.confirmation(confirmation))
    }

    private mutating func askForLost() {
        guard let position = receiverLanes.takeEnded(),
            case .sendRequest(let request) = receiver.lanesEnded(position)
        else { return }
        replies.append(.request(request))
    }
}
