package import LocalSend
import MapPages
package import PeerCore
package import RegionSharing
package import RegionStore
import Synchronization

/// Takes what phones send by LocalSend: asks, has the files that come, and adds them after a yes.
///
/// `IncomingLocalSend` decides; this class has the bytes, and asks the person.
package final class LocalSendTaker: Sendable {
    /// Returns the phone that is shown for a device, with the fingerprint of the certificate that it has shown.
    package typealias Recognition =
        @Sendable (LocalSendDevice, _ address: String, _ certificate: LocalSendFingerprint?) -> LocalSendPhone

    /// The maximum number of lists that come, or wait for a decision.
    static let maximumLists = 8

    /// An agreed list until a person has decided on its files.
    struct List: Sendable {
        var phone: LocalSendPhone
        var client: LocalSendClient
        /// The space that its files need, and how much of it is used.
        var needed: UInt64
        var used: UInt64 = 0
        /// Whether no more of it comes.
        var isOver = false
        var arrivals: AsyncStream<TakenFile>.Continuation
    }

    /// What is agreed to, open, and refused.
    struct Contents: Sendable {
        var machine = IncomingLocalSend()
        var refusals = UploadRefusals()
        /// That the disk has too little space.
        var spaceNote = RareNote()
        var lists: [String: List] = [:]
        /// Finish these to withdraw the questions of sessions.
        var questions: [String: AsyncStream<Void>.Continuation] = [:]
        var uploadCount = 0
        /// How many lists are read now.
        var readingCount = 0
        var folder: UploadFolder?
    }

    /// A list to decide on.
    private struct Agreed: Sendable {
        var session: String
        var phone: LocalSendPhone
        var client: LocalSendClient
        var files: AsyncStream<TakenFile>
    }

    let store: RegionStore
    let person: any Person
    /// The application whose share links are known.
    let application: PeerServiceType
    private let ownID: PeerID
    /// The region to which tracks and photos are added; nil for those on whose maps they lie.
    private let region: RegionSummary?
    private let desk: UploadDesk
    /// Whether a person can be asked; if not, nothing is taken.
    let asks: Bool
    /// Where share links go, if this machine looks for a sender.
    let links: ArrivingLinks
    private let recognise: Recognition
    /// Called with a phone of which something was added.
    private let added: @Sendable (LocalSendPhone) async -> Void
    let contents = Mutex(Contents())
    private let agreed: AsyncStream<Agreed>
    private let agreements: AsyncStream<Agreed>.Continuation

    /// Creates what takes files into a store.
    ///
    /// - Parameters:
    ///   - region: The region to which tracks and photos are added; nil for those on whose maps they lie.
    ///   - desk: Where files are examined: with a page for phones beside it, the same one.
    ///   - asks: Whether a person can be asked. If not, nothing is taken.
    ///   - links: Where share links go, if this machine looks for a sender.
    ///   - recognise: Returns the phone that is shown for a device.
    ///   - added: Called with a phone of which something was added.
    package init(
        into store: RegionStore,
        as local: LocalPeer,
        region: RegionSummary? = nil,
        asks: Bool,
        desk: UploadDesk = UploadDesk(),
        links: ArrivingLinks = ArrivingLinks(),
        person: any Person,
        recognise: @escaping Recognition,
        added: @escaping @Sendable (LocalSendPhone) async -> Void = { _ in }
    ) {
        (self.store, self.asks, self.desk, self.links) = (store, asks, desk, links)
        (ownID, application, self.region) = (local.id, local.application, region)
        (self.person, self.recognise, self.added) = (person, recognise, added)
        // The number of lists is limited.
        (agreed, agreements) = AsyncStream.makeStream()
    }

    /// Creates what takes files of the phones that a finder knows; nothing is taken without one.
    package convenience init(
        into store: RegionStore,
        as local: LocalPeer,
        finder: LocalSendFinder?,
        links: ArrivingLinks = ArrivingLinks(),
        person: any Person
    ) {
        self.init(
            into: store,
            as: local,
            asks: finder != nil,
            links: links,
            person: person,
            recognise: { device, address, certificate in
                finder?.identify(device, at: address, provenBy: certificate)
                    ?? LocalSendPhone(
                        number: 0,
                        name: device.alias,
                        recognition: .new,
                        address: address,
                        fingerprint: nil
                    )
            },
            added: { await finder?.askForName(of: $0) }
        )
    }

    /// Whether something that was agreed to still comes, or waits for a decision.
    package var isBusy: Bool { contents.withLock { !$0.lists.isEmpty } }

    /// Whether a phone waits for the answer of a person.
    package var isAsking: Bool { contents.withLock { $0.machine.all.contains(where: \.isQuestion) } }

    /// Decides on what comes, until the task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { [self] in
                while (try? await Task.sleep(for: .seconds(5))) != nil { tick(at: .now) }
            }
            for await list in agreed { group.addTask { [self] in await decide(on: list) } }
        }
    }

    /// Waits until a person has decided on everything that was agreed to.
    package func settle() async throws {
        while isBusy { try await Task.sleep(for: .milliseconds(200)) }
    }

    /// Time has passed: phones are gone without a word.
    func tick(at now: ContinuousClock.Instant) {
        let phones = contents.withLock { contents in
            contents.machine.tick(at: now).compactMap { contents.end($0.session) }
        }
        for phone in phones { tell(.stopped(by: phone)) }
    }

    func phone(of device: LocalSendDevice, _ client: LocalSendClient) -> LocalSendPhone {
        recognise(device, client.address, client.certificate)
    }

    /// Begins to take the files of a list.
    func agree(to session: String, _ phone: LocalSendPhone, _ client: LocalSendClient, needed: UInt64) {
        let (files, arrivals) = AsyncStream.makeStream(of: TakenFile.self)
        contents.withLock {
            $0.lists[session] = List(phone: phone, client: client, needed: needed, arrivals: arrivals)
        }
        agreements.yield(Agreed(session: session, phone: phone, client: client, files: files))
    }

    private func decide(on list: Agreed) async {
        let decider = UploadDecider(region: region, store: store, ownID: ownID, desk: desk, person: person)
        let result = await PhoneListDecider(decider: decider, phone: list.phone).decide(on: list.files)
        contents.withLock { contents in
            contents.lists[list.session] = nil
            for name in list.client.names {
                if result.isRefused { contents.refusals.refused(name, at: .now) }
                // Of a hundred photos, many belong to no waypoint. A list of which nothing can be used is one fault.
                if !result.leftOut.isEmpty, !result.isAdded { contents.refusals.unusable(name, at: .now) }
            }
        }
        if !result.leftOut.isEmpty { tell(.leftOut(result.leftOut, from: list.phone)) }
        if result.isAdded { await added(list.phone) }
    }

    func tell(_ happening: LocalSendHappening) { person.tell(.phones(.localSend(happening))) }

    /// The folder for what comes, which is made when something does.
    func folder() throws -> UploadFolder {
        try contents.withLock { contents in
            if let folder = contents.folder { return folder }
            let folder = try store.uploadFolder()
            contents.folder = folder
            return folder
        }
    }
}

extension LocalSendTaker.Contents {
    /// No more of a session comes.
    ///
    /// - Returns: Its phone, if files of it were agreed to.
    mutating func end(_ session: String) -> LocalSendPhone? {
        questions[session]?.finish()
        lists[session]?.isOver = true
        lists[session]?.arrivals.finish()
        return lists[session]?.phone
    }

    /// The space that is promised to files that have not come yet.
    var promised: UInt64 {
        lists.values.reduce(0) { sum, list in
            let (total, isTooMuch) = sum.addingReportingOverflow(list.needed - min(list.used, list.needed))
            return isTooMuch ? .max : total
        }
    }

    /// Whether a list of a client would have a place, whatever is in it.
    func hasPlace(for client: LocalSendClient) -> Bool {
        lists.count < LocalSendTaker.maximumLists && !hasUndecided(of: client)
            && machine.hasPlace(for: client, at: .now)
    }

    /// Whether files of a client are agreed to that a person has not decided on, and nothing more of them comes.
    func hasUndecided(of client: LocalSendClient) -> Bool {
        lists.values.contains { list in
            guard list.isOver, list.client.certificate == client.certificate else { return false }
            return client.certificate != nil || list.client.address == client.address
        }
    }
}

extension LocalSendClient {
    /// What its refusals are counted by: a certificate is made in a moment, and an address is shared by devices behind a router.
    var names: [String] { [address] + (certificate.map { [$0.text] } ?? []) }
}
