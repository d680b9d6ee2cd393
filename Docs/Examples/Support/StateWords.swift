package import NearbyPeers

/// A state in words for people.
package func words(for state: PeerState) -> String {
    switch state {
    case .connecting(.dialing): "connecting"
    case .connecting(.handshaking): "connecting: the two sides introduce themselves"
    case .connecting(.asking): "connecting: waiting for an answer"
    case .connecting(.comparing(let digits)): "connecting: comparing the digits \(digits.text)"
    case .connected: "connected"
    case .reconnecting: "reconnecting"
    case .unreachable: "unreachable"
    case .disconnected(.left("")): "disconnected: has left"
    case .disconnected(.left(let reason)): "disconnected: has left: \(reason)"
    case .disconnected(.disconnected("")): "disconnected: does not want this machine"
    case .disconnected(.disconnected(let reason)): "disconnected: does not want this machine: \(reason)"
    case .disconnected(.endedByUs): "disconnected"
    case .disconnected(.lost): "disconnected: lost"
    case .disconnected(.declined(let refusal)): "disconnected: \(refusal.reason)"
    case .disconnected(.failed(let error)): "failed: \(error.message)"
    case .disconnected(.replaced): "disconnected: this program runs twice with the same key"
    // A later version of the library may know more states.
    @unknown default: "\(state)"
    }
}
