import FoundationEssentials
package import HostNetwork
package import LocalSend
import PeerProtocol
package import RegionSharing
package import RegionStore
import Synchronization

/// Finds devices with LocalSend, and lets them find this machine.
package final class LocalSendFinder: Sendable {
    /// Says to a device who this machine is (`register`), and returns what it answers and the certificate that it showed; nil if it
    /// cannot be reached, or is not the expected one.
    package typealias Registering =
        @Sendable (LocalSendDirectory.Place, _ own: [UInt8]) async -> (answer: [UInt8], certificate: [UInt8]?)?

    /// What this program calls its machines: others of it are found in their own way, and are no phones.
    package static let usualModel = "hikeshare"
    /// The group of all devices.
    package static let usualGroup = MulticastGroup(ofIPv4: LocalSendLimits.group, port: LocalSendLimits.usualPort)

    struct State {
        var directory: LocalSendDirectory
        var book: PhoneBook
        /// The networks in which devices are spoken to.
        var networks: [LocalNetwork] = []
        /// Since when they are these.
        var networksSince: ContinuousClock.Instant = .now
        /// The port of this machine's server.
        var port = LocalSendLimits.usualPort
        var plan = AnnouncementPlan()
        /// The phones, as they were last told.
        var phones: [LocalSendPhone] = []
        var pace = ListPace()
        var readers: [Int: AsyncStream<[LocalSendPhone]>.Continuation] = [:]
        var readerCount = 0
        /// The confirmed phones that are noted as seen.
        var seen: Set<String> = []
        /// The last announcement, to hear it again.
        var announcement: [UInt8] = []
        /// Whether an own announcement has come back to this machine.
        var hasHeardItself = false
        /// The devices whose names were asked for.
        var asked: Set<String> = []
    }

    let identity: LocalSendIdentity
    private let alias: String
    private let model: String
    let store: RegionStore
    let person: any Person
    let register: Registering
    let readNetworks: @Sendable () -> [LocalNetwork]
    let group: MulticastGroup
    /// Whether the networks are this machine's own, which may be searched.
    let isOwnNetwork: Bool
    let places: AsyncStream<LocalSendDirectory.Place>
    private let placesToAsk: AsyncStream<LocalSendDirectory.Place>.Continuation
    let state: Mutex<State>

    /// Creates a finder, which does nothing until it runs.
    ///
    /// - Parameters:
    ///   - alias: The name of this machine.
    ///   - model: What it is. Devices that say that they are the same are not listed.
    ///   - networks: Reads the networks in which devices are looked for.
    ///   - isOwnNetwork: Whether they are this machine's own.
    ///   - group: The group of announcements.
    ///   - register: Performs `register`.
    package init(
        _ identity: LocalSendIdentity,
        alias: String,
        model: String = usualModel,
        store: RegionStore,
        person: any Person,
        networks: @escaping @Sendable () -> [LocalNetwork],
        isOwnNetwork: Bool = false,
        group: MulticastGroup = usualGroup,
        register: @escaping Registering
    ) throws {
        (self.identity, self.alias, self.model) = (identity, alias, model)
        (self.store, self.person) = (store, person)
        (self.isOwnNetwork, self.group, self.register, readNetworks) = (isOwnNetwork, group, register, networks)
        // Whoever announces a thousand devices must not keep others waiting behind them.
        (places, placesToAsk) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
        let book = PhoneBook(try store.confirmedPhones.all())
        let directory = LocalSendDirectory(own: identity.fingerprint, confirmed: book.fingerprints)
        state = Mutex(State(directory: directory, book: book))
    }

    /// What this machine says of itself.
    package var own: LocalSendDevice {
        let port = state.withLock(\.port)
        return LocalSendDevice(
            alias: alias,
            model: model,
            kind: .desktop,
            fingerprint: identity.fingerprint,
            port: port
        )
    }

    /// The phones that are there now, in the order of their numbers.
    package var phones: [LocalSendPhone] { state.withLock { $0.found(without: model) } }

    /// Returns the phones that are there now, and all others after each change; any number of readers may do so.
    ///
    /// While somebody reads, devices are looked for again and again.
    package func phoneChanges() -> AsyncStream<[LocalSendPhone]> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: [LocalSendPhone].self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let number = state.withLock { state in
            state.readerCount += 1
            state.readers[state.readerCount] = continuation
            state.plan.begin(at: .now)
            continuation.yield(state.phones)
            return state.readerCount
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.readers.removeValue(forKey: number) }
        }
        return stream
    }

    /// A device has registered with this machine's server.
    ///
    /// - Parameters:
    ///   - body: What it says of itself.
    ///   - address: The address from which it did so.
    ///   - certificate: The certificate that it showed, in DER form.
    /// - Returns: What this machine says of itself; nil if the device says nothing that can be understood.
    package func registered(_ body: [UInt8], from address: String, certificate: [UInt8]?) -> [UInt8]? {
        guard state.withLock({ $0.directory.admitsRegistration(from: address, at: .now) }) else { return own.json() }
        guard let device = try? LocalSendDevice(json: body) else { return nil }
        if isNear(address) {
            let proven = certificate.map { LocalSendFingerprint(certificate: $0) }
            change { $0.directory.registered(device, at: address, provenBy: proven, at: .now) }
        }
        return own.json()
    }

    /// Returns who asks or sends, as people see it; with the number 0 if it is not among the phones that were found.
    package func identify(
        _ device: LocalSendDevice,
        at address: String,
        provenBy certificate: LocalSendFingerprint?
    ) -> LocalSendPhone {
        let proven = certificate == device.fingerprint ? certificate : nil
        return state.withLock { state in
            let known = state.directory.neighbours.first {
                $0.device.fingerprint == device.fingerprint && $0.isProven && proven != nil
            }
            return state.book.phone(device, at: address, provenBy: proven, number: known?.number ?? 0)
        }
    }

    /// Returns where a phone is now; nil if it is no longer there.
    package func neighbour(of phone: LocalSendPhone) -> LocalSendNeighbour? {
        state.withLock { state in
            state.directory.neighbours.first {
                $0.number == phone.number && ($0.isProven ? $0.device.fingerprint.text : nil) == phone.fingerprint
            }
        }
    }

    /// A phone is no longer at its address: nothing answers there, or another device does.
    package func lost(_ phone: LocalSendPhone) {
        change(isToldAtOnce: true) {
            $0.directory.lost(phone.number, at: phone.address)
            return .none
        }
    }

    /// Keeps the name that a person gives a phone.
    ///
    /// - Throws: `RegionStoreError` if the store cannot be written.
    package func remember(_ phone: LocalSendPhone, as name: String) throws {
        guard let text = phone.fingerprint, let id = ContentDigest(hex: text),
            let fingerprint = LocalSendFingerprint(text)
        else { return }
        let alias = neighbour(of: phone)?.device.alias ?? phone.name
        try store.confirmedPhones.confirm(id, name: name, alias: alias)
        let book = PhoneBook(try store.confirmedPhones.all())
        change(isToldAtOnce: true) {
            $0.book = book
            $0.directory.confirm(fingerprint)
            return .none
        }
    }

    /// Changes something and does what follows, then tells the phones if they are others now.
    ///
    /// - Parameter isToldAtOnce: Whether they are told even if others were just told. If not, the next tick tells them.
    func change(isToldAtOnce: Bool = false, _ body: (inout State) -> LocalSendDirectory.OnDevice) {
        let place: LocalSendDirectory.Place? = state.withLock { state in
            let next = body(&state)
            let (phones, now) = (state.found(without: model), ContinuousClock.now)
            if phones != state.phones, isToldAtOnce || state.pace.admits(at: now) {
                state.phones = phones
                state.pace.told(at: now)
                for reader in state.readers.values { reader.yield(phones) }
                // Under the lock, so that an older list never comes after a newer one.
                person.tell(.phones(.localSend(.phones(phones))))
            }
            guard case .register(let place) = next else { return nil }
            return place
        }
        if let place, place.port >= Self.leastPort, isNear(place.address) { placesToAsk.yield(place) }
    }

    /// The lowest port at which a device is asked: those below belong to the system's services, which are not LocalSend.
    private static let leastPort: UInt16 = 1024

    /// Whether an address is that of a machine in one of the networks.
    func isNear(_ address: String) -> Bool {
        guard let address = IPAddress(address) else { return false }
        return state.withLock { $0.networks.contains { $0.contains(address) } }
    }
}

extension LocalSendFinder.State {
    /// Returns the devices that were found, as people see them, without those of a model.
    func found(without model: String) -> [LocalSendPhone] {
        directory.neighbours.filter { $0.device.model != model }.map { book.phone($0) }
    }
}

extension PhoneBook {
    /// Returns a device that was found, as people see it.
    func phone(_ neighbour: LocalSendNeighbour) -> LocalSendPhone {
        let device = neighbour.device
        let proven = neighbour.isProven ? device.fingerprint : nil
        return phone(device, at: neighbour.address, provenBy: proven, number: neighbour.number)
    }

    /// Returns a device as people see it.
    func phone(
        _ device: LocalSendDevice,
        at address: String,
        provenBy proven: LocalSendFingerprint?,
        number: Int
    ) -> LocalSendPhone {
        let (name, recognition) = recognise(proven, callingItself: device.alias)
        return LocalSendPhone(
            number: number,
            name: name,
            recognition: recognition,
            model: device.model,
            address: address,
            fingerprint: proven?.text,
            claimedName: device.alias
        )
    }
}
