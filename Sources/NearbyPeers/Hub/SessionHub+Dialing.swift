import Logging
import PeerCore
import PeerProtocol

/// Attempts to connect.
extension SessionHub {
    /// Dials a peer after a pause.
    func dial(_ name: MeetingConnection, _ dial: PeerAction.Dial, _ id: PeerID) {
        guard !hasLeft else { return }
        let pause = dial.pause(configuration.reconnection, random: transport.random())
        let stop = ReadyQueue<Void>()
        peers[id]?.stop = stop
        work.add { [dialer] in
            let result = await dialer.attempt(after: pause, until: stop) {
                let entry = await self.peers[id]
                return (entry?.machine.isAwaited == true, entry?.link != nil)
            } _: {
                self.logger.debug("attempt", metadata: ["peer": "\(id.short)"])
                return await self.destination(of: id)
            }
            await self.dialed(result, name, id)
        }
    }

    /// Returns the addresses at which a known peer is dialed.
    func destination(of id: PeerID) -> Destination {
        let networks = transport.networks
        return peers[id]?.destination(in: networks, asMember: memberAddresses(of: id, in: networks)) ?? Destination()
    }

    /// Handles the result of a dial; runs a new connection until it is closed.
    private func dialed(_ result: DialResult, _ name: MeetingConnection, _ id: PeerID) async {
        switch result {
        case .success(let connection):
            // The attempt may have been replaced or withdrawn while the connection was being opened.
            guard !hasLeft, peers[id]?.machine.opened(name) == true, let request = peers[id]?.machine.request else {
                return await dialer.drop(connection)
            }
            let number = connections.makeNumber()
            peers[id]?.connections[name] = number
            peers[id]?.stop = nil
            register(connection, number, .dialed(id, name, request))
            await run(connection, number)
        case .failure(let error):
            logger.debug("attempt failed", metadata: ["peer": "\(id.short)", "error": "\(error)"])
            guard peers[id] != nil else { return }
            apply(id) { $0.dialFailed(name, error, isInRoster: isInRoster(id), at: clock.now) }
        }
    }

    /// Runs a connection to a peer whose id is not known yet.
    ///
    /// The connection becomes the attempt for the wish, unless there is a link or another connection with the peer.
    func identify(_ connection: any PeerConnection, _ number: Int, _ call: LinkCalls.IdentityCall) {
        register(connection, number, .called(call))
        guard !work.add({ await self.run(connection, number) }) else { return }
        // The session has ended, so the job does not run.
        connection.abort()
        closed(number)
    }

    /// Makes a connection of this side the attempt for a wish, once its peer is known.
    func adopt(_ number: Int, _ id: PeerID, _ incarnation: Incarnation) {
        guard let wish = connections[number]?.call, let call = calls.identified(number, as: id) else {
            return end(number) { $0.lost() }
        }
        connections[number]?.call = nil
        let (name, actions) = peers[making: id].adopt(number, for: (call, wish), at: clock.now)
        guard let name else {
            // There is a link or another connection already.
            end(number) { $0.lost() }
            return perform(actions, id)
        }
        connections[number]?.name = name
        meet(id) { $0.dialed(name, incarnation) }
    }
}
