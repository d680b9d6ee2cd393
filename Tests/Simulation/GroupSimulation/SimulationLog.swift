import Logging
import PeerCore
import PeerTesting

/// Prints what the sessions of a simulation log, with the time of the simulation.
struct SimulationLog: LogHandler {
    let clock: ManualClock
    let machine: Int
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let pairs = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        print("\(clock.elapsed) \(machine): \(event.message) \(pairs.joined(separator: " "))")
    }
}
