import Avahi
import DBus
import Glibc
import HostNetwork

/// Finds out whether the Avahi daemon runs, and on which interfaces it works.
///
/// A daemon reads its configuration when it starts, and the file may have changed since or be elsewhere. So the
/// examination asks the daemon itself: it publishes a service for a moment, and the daemon reports on which interfaces
/// it finds the service.
enum AvahiExamination {
    /// The type of the service that is published for a moment.
    private static let serviceName = "nearby-check"
    /// The port of the service, at which nothing listens (discard, RFC 863).
    private static let port: UInt16 = 9
    /// The time within which the daemon must be ready.
    private static let readyTime: Duration = .seconds(2)
    private static let programs = ["/usr/sbin/avahi-daemon", "/usr/bin/avahi-daemon", "/usr/local/sbin/avahi-daemon"]

    private enum News: Sendable {
        case published
        case found(String)
        case failed(AvahiError)
    }

    /// What the daemon says of its service.
    private enum Outcome: Sendable {
        /// It finds the service on these interfaces.
        case interfaces(Set<String>)
        /// It announces no services.
        case denied
        case full(AvahiFacts.Limit)
        /// Nothing that says anything about interfaces, because it is too busy.
        case nothing
    }

    /// Whether the daemon's program is installed.
    static var isInstalled: Bool { programs.contains { SystemFile.exists($0) } }

    /// Examines the daemon.
    static func run(expecting interfaces: Set<String>, within time: Duration) async -> AvahiFacts {
        var facts = facts(.running)
        do {
            let outcome = try await AvahiConnection.withConnection { connection in
                try await connection.waitUntilRunning(within: readyTime)
                return try await publish(on: connection, expecting: interfaces, within: time)
            }
            switch outcome {
            case .interfaces(let found): facts.interfaces = found
            case .denied: facts.deniesPublishing = true
            case .full(let limit): facts.limit = limit
            case .nothing: break
            }
        } catch let error as AvahiError {
            facts = await self.facts(after: error)
        } catch {
            // The task is cancelled.
        }
        return facts
    }

    /// Finds out only whether the daemon runs.
    static func run(within time: Duration) async -> AvahiFacts {
        do {
            return try await AvahiConnection.withConnection { connection in
                try await connection.waitUntilRunning(within: time)
                return facts(.running)
            }
        } catch let error as AvahiError {
            return await facts(after: error)
        } catch {
            return facts(.running)
        }
    }

    private static func facts(_ state: AvahiFacts.State) -> AvahiFacts {
        AvahiFacts(
            isInstalled: isInstalled,
            state: state,
            configuration: AvahiConfiguration(parsing: SystemFile.text(AvahiConfiguration.path) ?? "")
        )
    }

    private static func facts(after error: AvahiError) async -> AvahiFacts {
        var facts = facts(.running)
        switch error.code {
        case .daemonUnavailable where AvahiDaemon.isRunning: facts.state = await isDenied ? .denied : .offBus
        case .daemonUnavailable where isPortTaken(isShared: true): facts.state = .portTaken
        case .daemonUnavailable where !facts.configuration.portBlockers.isEmpty && isPortTaken(isShared: false):
            facts.state = .portShared
        case .daemonUnavailable:
            facts.state = .stopped
            facts.unit = await .read()
        case .busUnavailable:
            let isDenied = await isDenied
            facts.state = await isBusDenied ? .busDenied : isDenied ? .denied : .noBus
        case .accessDenied: facts.state = .denied
        case .timedOut: facts.state = .silent
        default: facts.state = .failed(error.message)
        }
        return facts
    }

    /// Returns whether another program has the port of multicast DNS.
    ///
    /// - Parameter isShared: Whether this counts only if it does not share the port, as browsers and Avahi do.
    private static func isPortTaken(isShared: Bool) -> Bool {
        let descriptor = socket(AF_INET, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var reuses: CInt = isShared ? 1 : 0
        let length = socklen_t(MemoryLayout<CInt>.size)
        guard setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuses, length) == 0,
            let anywhere = IPAddress(bytes: [0, 0, 0, 0])
        else { return false }
        let error = anywhere.withSocketAddress(port: MulticastSocket.port, scope: 0) { address, length in
            bind(descriptor, address, length) == 0 ? 0 : errno
        }
        return error == EADDRINUSE
    }

    private static var isBusDenied: Bool {
        get async {
            do {
                try await DBusConnection.withSystemBus(within: .seconds(1)) { _ in }
                return false
            } catch {
                return (error as? DBusError)?.code == .notAccepted
            }
        }
    }

    /// Whether the rules of the bus keep this user from the daemon.
    private static var isDenied: Bool {
        get async {
            // The bus would start a daemon that does not run.
            guard AvahiDaemon.isRunning else { return false }
            let version = DBusMethod(
                service: "org.freedesktop.Avahi",
                path: "/",
                interface: "org.freedesktop.Avahi.Server",
                name: "GetVersionString"
            )
            do {
                _ = try await DBusConnection.withSystemBus(within: .seconds(1)) { bus in
                    try await bus.call(version, within: .seconds(1))
                }
                return false
            } catch {
                return (error as? DBusError)?.code == .accessDenied
            }
        }
    }

    private static func publish(
        on connection: AvahiConnection,
        expecting interfaces: Set<String>,
        within time: Duration
    ) async throws -> Outcome {
        let name = "check-" + String(UInt64.random(in: .min ... .max), radix: 36)
        let type = try ServiceType(name: serviceName)
        let announcement = ServiceAnnouncement(name: try InstanceName(name), type: type, port: port)
        return try await connection.withPublishedService(announcement) { publication in
            let events = await connection.browse(for: type)
            let (news, inbox) = AsyncStream.makeStream(of: News?.self)
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await event in events {
                        switch event {
                        case .found(let service) where service.name == name && service.isLocal:
                            if let interface = service.interface.name { inbox.yield(.found(interface)) }
                        case .failed(let error) where error.reachedLimit != nil: inbox.yield(.failed(error))
                        default: break
                        }
                    }
                }
                group.addTask {
                    for await event in publication.events {
                        switch event {
                        case .published: inbox.yield(.published)
                        case .failed(let error): inbox.yield(.failed(error))
                        case .renamed, .withdrawn: break
                        }
                    }
                }
                group.addTask {
                    try await Task.sleep(for: time)
                    inbox.yield(nil)
                }
                defer { group.cancelAll() }
                var found: Set<String> = []
                var isPublished = false
                for await one in news {
                    switch one {
                    case .published: isPublished = true
                    case .found(let interface): found.insert(interface)
                    case .failed(let error) where error.code == .accessDenied: return .denied
                    case .failed(let error):
                        return error.reachedLimit.map { .full(AvahiFacts.Limit(of: $0)) } ?? .nothing
                    // A daemon that is too busy to publish says nothing about its interfaces.
                    case nil: return isPublished ? .interfaces(found) : .nothing
                    }
                    if interfaces.isSubset(of: found) { return .interfaces(found) }
                }
                throw CancellationError()
            }
        }
    }
}

extension AvahiFacts.Limit {
    /// The limit of a setting: each program needs an object for its announcement, and several for its search.
    init(of setting: String) {
        self.init(
            setting: setting,
            hindersAnnouncing: setting != "objects-per-client-max",
            hindersFinding: setting != "entries-per-entry-group-max"
        )
    }
}
