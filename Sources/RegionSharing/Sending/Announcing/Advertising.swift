import Diagnosis
import Logging
import PeerCore
import Synchronization

/// Announces a sender, and tells machines that hear it and cannot connect what it sees of them.
struct Advertising: Sendable {
    var local: LocalPeer
    var info: DiscoveryInfo
    var person: any Person
    var logger: Logger

    /// Announces the sender, and answers questions, until the task is cancelled.
    ///
    /// Errors are told, and the sender continues without an announcement.
    func run(port: Int) async {
        async let answered: Void = answer(port: port)
        await announce(port: port)
        await answered
    }

    private func answer(port: Int) async {
        let told = Told()
        await ViewService(port: port, for: local.application)?.run { [person] address, view in
            let receiver = UnreachableReceiver(address: address, view: view, port: port, on: .read())
            guard told.isNews(receiver.cause.code, at: .now) else { return }
            person.tell(.sending(.unreachable(receiver)))
        }
    }

    /// Which causes were reported: one machine asks from several addresses.
    private final class Told: Sendable {
        /// How long the same cause is no news.
        private static let patience: Duration = .seconds(60)
        private let times = Mutex<[String: ContinuousClock.Instant]>([:])

        func isNews(_ code: String, at now: ContinuousClock.Instant) -> Bool {
            times.withLock { times in
                defer { times[code] = now }
                return times[code].map { now - $0 >= Self.patience } ?? true
            }
        }
    }

    private func announce(port: Int) async {
        do {
            try await PeerAdvertiser(serviceType: local.application).withAdvertisement(
                instanceName: local.displayName,
                port: port,
                info: info
            ) { events in
                var isInterrupted = false
                var failure = LastingFailure()
                for await event in events { tell(event, &isInterrupted, &failure) }
            }
        } catch  where Task.isCancelled {
            return
        } catch {
            person.tell(.problem(error))
        }
    }

    /// Reports an event, or that a reported interruption is over; the same failure is reported once.
    private func tell(_ event: PeerAdvertiserEvent, _ isInterrupted: inout Bool, _ failure: inout LastingFailure) {
        logger.debug("announcement", metadata: ["event": "\(String(describing: event).prefix { $0 != "(" })"])
        switch event {
        case .published(let name):
            person.tell(.sending(.advertised(name, isBack: isInterrupted)))
            isInterrupted = false
            failure.end()
        case .renamed(let name): person.tell(.sending(.renamed(name)))
        case .withdrawn:
            person.tell(.sending(.withdrawn))
            isInterrupted = true
        case .failed(let error):
            if failure.isNew(error) { person.tell(.problem(error)) }
            isInterrupted = true
        }
    }
}
