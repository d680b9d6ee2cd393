package import HostNetwork
import LocalSend
import MapPages
package import RegionSharing
package import RegionStore
package import WebServer

/// This machine as a device with LocalSend: it finds others and is found, and serves what they ask for, while something else runs.
///
/// For example, `receive` lets phones send meanwhile:
///
/// ```swift
/// let node = try LocalSendNode(.load(for: store), alias: name, store: store, person: person)
/// try await node.run(serving: { LocalSendSite(taker, $0) }) { try await receive() }
/// ```
package struct LocalSendNode: Sendable {
    /// Where a node listens and looks.
    package struct Settings: Sendable {
        /// The port; nil for that of LocalSend, or any free one if that is in use.
        package var port: Int?
        /// The Wi-Fi network of this machine, to which everything is limited; nil for all networks.
        package var ownNetwork: OwnHotspot?
        /// Whether only programs of this machine are found, for tests.
        package var isLoopback = false
        /// What this machine says that it is; devices that say the same are not listed.
        package var model = LocalSendFinder.usualModel
        /// The group of announcements.
        package var group = LocalSendFinder.usualGroup

        package init() {}
    }

    /// How the body has ended; it ends the server.
    private struct Finished: Error {
        var error: (any Error)?
    }

    /// Finds devices.
    package let finder: LocalSendFinder
    private let identity: LocalSendIdentity
    private let alias: String
    private let settings: Settings
    private let person: any Person

    /// Creates a node of a store, which runs once.
    ///
    /// - Parameters:
    ///   - alias: The name of this machine, which everybody in the network can read.
    /// - Throws: An error if the key or the store cannot be read.
    package init(
        _ identity: LocalSendIdentity,
        alias: String,
        settings: Settings = Settings(),
        store: RegionStore,
        person: any Person
    ) throws {
        (self.identity, self.alias, self.settings, self.person) = (identity, alias, settings, person)
        let caller = try LocalSendCaller(identity)
        finder = try LocalSendFinder(
            identity,
            alias: alias,
            model: settings.model,
            store: store,
            person: person,
            networks: { [settings] in Self.networks(settings) },
            isOwnNetwork: settings.ownNetwork != nil,
            group: settings.group,
            register: { await caller.register(at: $0, $1) }
        )
    }

    /// Runs while `body` runs.
    ///
    /// If nothing can be served, the person is told why, and `body` runs alone: LocalSend is not what it is about.
    ///
    /// - Parameters:
    ///   - site: Makes what devices are served.
    /// - Throws: The error of `body`.
    package func run(
        serving site: (LocalSendFinder) -> any WebSite,
        during body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let trouble: LocalSendTrouble
        do {
            try await serve(site(finder), configuration(), body)
            return
        } catch let end as Finished {
            if let error = end.error { throw error }
            return
        } catch let error as WebServer.ListenError {
            trouble = .port(reason: error.reason)
        } catch {
            // The own Wi-Fi network has no address.
            trouble = .noNetwork
        }
        try Task.checkCancellation()
        person.tell(.phones(.localSend(.trouble(trouble))))
        try await body()
    }

    private func serve(
        _ site: some WebSite,
        _ configuration: WebServer.Configuration,
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await WebServer.run(configuration, site: site) { port in
            finder.listens(on: port)
            let isUsual = port == Int(LocalSendLimits.usualPort)
            person.tell(.phones(.localSend(.listed(name: alias, port: port, isUsualPort: isUsual))))
            throw await withDiscardingTaskGroup { group in
                group.addTask { [finder] in await finder.run() }
                defer { group.cancelAll() }
                do {
                    try await body()
                    return Finished()
                } catch {
                    return Finished(error: error)
                }
            }
        }
    }

    private func configuration() throws -> WebServer.Configuration {
        var configuration = WebServer.Configuration()
        // Other networks of this machine do not reach a server in its own one.
        configuration.address =
            settings.isLoopback ? "127.0.0.1" : try settings.ownNetwork?.requireIPv4() ?? "0.0.0.0"
        configuration.port = settings.port ?? Int(LocalSendLimits.usualPort)
        configuration.takesAnyFreePort = settings.port == nil
        configuration.maximumContentLength = LocalSendLimits.offerLength
        configuration.security = WebServerSecurity(try WebIdentity(pem: identity.pem), asksForCertificate: true)
        LocalSendSite.limit(&configuration)
        return configuration
    }

    private static func networks(_ settings: Settings) -> [LocalNetwork] {
        if settings.isLoopback { return LocalNetwork.loopback() }
        let all = LocalNetwork.all()
        guard let own = settings.ownNetwork, let text = try? own.requireIPv4(), let address = IPAddress(text) else {
            return settings.ownNetwork == nil ? all : []
        }
        return all.filter { $0.has(address) }
    }
}
