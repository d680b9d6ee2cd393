/// The state of a connection to the Avahi daemon.
public enum ConnectionState: Hashable, Sendable {
    /// There is no D-Bus; the library retries.
    case waitingForBus
    /// The daemon is not running; the library waits for its start.
    case waitingForDaemon
    /// The daemon is establishing the host's name.
    case registering
    /// Another host has the same name; the daemon is choosing another one.
    case hostNameCollision
    /// Services can be published and found.
    case running

    /// Whether browsing works in this state.
    var isConnected: Bool {
        switch self {
        case .registering, .hostNameCollision, .running: true
        case .waitingForBus, .waitingForDaemon: false
        }
    }
}
