/// The state of Avahi on this machine.
package struct AvahiFacts: Hashable, Sendable {
    /// The state of the daemon.
    package enum State: Hashable, Sendable {
        case running
        case stopped
        /// The daemon does not run, and cannot be started, because another program has its port to itself.
        case portTaken
        /// The daemon does not run, may share its port with no other program, and another one has it.
        case portShared
        /// The daemon's process runs, but has no connection to the bus.
        case offBus
        case noBus
        /// The bus refuses this user.
        case busDenied
        /// The bus lets this user in, but not to the daemon.
        case denied
        /// The daemon runs but does not answer, or has not found a host name.
        case silent
        /// Another failure, in the words of the library.
        case failed(String)
    }

    /// What the system's manager of services knows of the daemon (org.freedesktop.systemd1(5)).
    package enum Unit: Hashable, Sendable {
        /// Nothing, because there is no such manager, or nothing that matters.
        case unknown
        /// The last start has failed.
        case failed
        /// It must not be started.
        case masked
    }

    /// A maximum of the daemon that was reached.
    package struct Limit: Hashable, Sendable {
        /// The name of its setting.
        package var setting: String
        /// Whether services cannot be announced.
        package var hindersAnnouncing: Bool
        /// Whether services cannot be found.
        package var hindersFinding: Bool
    }

    /// Whether the daemon's program is installed.
    package var isInstalled: Bool = true
    package var state: State
    /// What is known of its start; only if it does not run.
    package var unit: Unit = .unknown
    /// The interfaces on which the daemon works; nil if they are not known.
    package var interfaces: Set<String>?
    /// Whether the daemon refuses to announce services.
    package var deniesPublishing: Bool = false
    /// The maximum that was reached; nil for none.
    package var limit: Limit?
    /// The settings in the daemon's configuration file.
    package var configuration: AvahiConfiguration = AvahiConfiguration()
}
