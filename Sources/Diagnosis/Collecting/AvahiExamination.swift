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

    /// Whether the daemon's program is installed.
    static var isInstalled: Bool { programs.contains { SystemFile.exists($0) } }

    /// Examines the daemon.
    ///
    /// - Parameters:
    ///   - interfaces: The names of the interfaces on which the daemon should work.
    ///   - time: How long to wait for the interfaces.
    /// - Returns: The facts about the daemon.
    static func run(expecting interfaces: Set<String>, within time: Duration) async -> AvahiFacts {
        var facts = facts(.running)
        do {
            let (found, isDenied) = try await AvahiConnection.withConnection { connection in
                try await connection.waitUntilRunning(within: readyTime)
                return try await publish(on: connection, expecting: interfaces, within: time)
            }
            facts.interfaces = found
            facts.deniesPublishing = isDenied
        } catch let error as AvahiError {
            facts.state = await state(after: error)
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
            return facts(await state(after: error))
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

    private static func state(after error: AvahiError) async -> AvahiFacts.State {
        switch error.code {
        case .daemonUnavailable: isRunning ? .offBus : isPortTaken ? .portTaken : .stopped
        case .busUnavailable: await isBusDenied ? .busDenied : .noBus
        case .timedOut: .silent
        default: .failed(error.message)
        }
    }

    /// Whether the daemon's process runs, whatever it can do.
    private static var isRunning: Bool {
        guard let number = SystemFile.word("/run/avahi-daemon/pid").flatMap({ UInt32($0) }) else { return false }
        return SystemFile.word("/proc/\(number)/comm") == "avahi-daemon"
    }

    /// Whether another program has the port of multicast DNS and does not share it, as browsers and Avahi do.
    private static var isPortTaken: Bool {
        let descriptor = socket(AF_INET, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var isShared: CInt = 1
        let length = socklen_t(MemoryLayout<CInt>.size)
        guard setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isShared, length) == 0,
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

    private static func publish(
        on connection: AvahiConnection,
        expecting interfaces: Set<String>,
        within time: Duration
    ) async throws -> (found: Set<String>?, isDenied: Bool) {
        let name = "check-" + String(UInt64.random(in: .min ... .max), radix: 36)
        let type = try ServiceType(name: serviceName)
        let announcement = ServiceAnnouncement(name: try InstanceName(name), type: type, port: port)
        return try await connection.withPublishedService(announcement) { publication in
            let events = await connection.browse(for: type)
            let (news, inbox) = AsyncStream.makeStream(of: News?.self)
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await event in events {
                        guard case .found(let service) = event, service.name == name, service.isLocal,
                            let interface = service.interface.name
                        else { continue }
                        inbox.yield(.found(interface))
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
                    case .failed(let error) where error.code == .accessDenied: return (nil, true)
                    case .failed: return (nil, false)
                    // A daemon that is too busy to publish says nothing about its interfaces.
                    case nil: return (isPublished ? found : nil, false)
                    }
                    if interfaces.isSubset(of: found) { return (found, false) }
                }
                throw CancellationError()
            }
        }
    }
}
