package import MapPages
package import PeerCore
package import RegionSharing
import SharingReports

/// Those that get something of a sender, and how far each of them is: a row for each machine and for each file of a phone.
///
/// A plain value, in which the number of rows is limited.
package struct ReceiverTable: Sendable {
    private enum Who: Hashable {
        /// A machine, by its id, and whether that is proved.
        case machine(PeerID, Bool)
        case download(Int)
        case upload(Int)
        /// What a phone gets by LocalSend, by the numbers of the transfer and of the phone.
        case localSend(Int, phone: Int)
    }

    private struct Entry {
        var who: Who
        /// The number of the transfer; nil while it is unknown.
        var transfer: Int?
        var row: AppWindowReceiver
        /// Its place among others.
        var turn: TransferTurn?
        /// Whether all that will be known of the transfer is known.
        var isConcluded = false

        var isOver: Bool {
            switch row.state {
            case .received, .declined, .refused, .lost, .stopped, .failed: true
            case .asks, .reviews, .waits, .receives, .finishes, .sends: false
            }
        }
    }

    private var entries: [Entry] = []

    /// Begins without anybody.
    package init() {}

    /// The rows, in the order in which they came.
    package var rows: [AppWindowReceiver] { entries.map(\.row) }

    // MARK: Machines

    /// A machine has asked for the regions.
    package mutating func note(_ question: InvitationQuestion, isWelcome: Bool) {
        let at = index(of: question.peer, transfer: nil)
        set(isWelcome ? .reviews : .asks, at)
    }

    /// A transfer has changed.
    package mutating func note(_ update: TransferUpdate) {
        guard let peer = update.peer, case .transfer(let transfer) = update.event else { return }
        let number = update.transfer
        switch transfer {
        case .idle, .pairing, .comparing: break
        case .waitingForPeer:
            let at = index(of: peer, transfer: number)
            if !entries[at].isConcluded, entries[at].row.state != .reviews { set(.asks, at) }
        case .connected: change(peer, number) { $0.set(.reviews, $1) }
        case .queued(let turn):
            change(peer, number) { table, at in
                table.entries[at].turn = turn
                if turn.place > 1 { table.set(.waits, at, fraction: table.entries[at].row.fraction) }
            }
        case .transferring(let progress):
            change(peer, number) { table, at in
                let waits = (table.entries[at].turn?.place ?? 1) > 1
                table.set(waits ? .waits : .receives, at, fraction: progress.fraction, left: progress.timeLeft)
            }
        case .committing: change(peer, number) { $0.set(.finishes, $1) }
        case .completed: change(peer, number) { $0.set(.received, $1) }
        case .cancelled: change(peer, number) { $0.set(.stopped, $1) }
        case .failed(let error): change(peer, number) { $0.set(Self.state(after: error), $1) }
        }
    }

    /// A transfer has ended, or the receiver goes on with another region.
    package mutating func note(_ facts: SentFacts) {
        guard let peer = facts.finished.peer else { return }
        let at = index(of: peer, transfer: facts.finished.transfer)
        switch facts.finished.result {
        case .success: set(.received, at)
        case .failure(let error):
            switch facts.decision {
            case .declined(.byPerson): set(.declined, at)
            case .declined: set(.failed, at)
            // Nobody has said anything here, so the receiver cannot have said no.
            case nil where (error as? PeerError)?.code == .declined: set(.failed, at, "got no answer")
            case .accepted, nil: set(facts.isConnectionLost ? .lost : Self.state(after: error), at)
            }
        }
        // One that picks of several has the same transfer for the next one.
        entries[at].isConcluded = !facts.isOneOfSeveral
    }

    private static func state(after error: any Error) -> AppWindowReceiver.State {
        switch (error as? PeerError)?.code {
        case .declined?: .refused
        case .cancelled?, .peerCancelled?: .stopped
        case .connectionLost?: .lost
        default: .failed
        }
    }

    /// Changes the row of a transfer, unless an update has come late.
    private mutating func change(_ peer: RemotePeer, _ number: Int, _ body: (inout Self, Int) -> Void) {
        let at = index(of: peer, transfer: number)
        if !entries[at].isConcluded { body(&self, at) }
    }

    /// Returns the row of a machine: the one of a transfer, or the one of a transfer that is over, whose place it takes.
    private mutating func index(of peer: RemotePeer, transfer: Int?) -> Int {
        let who = Who.machine(peer.id, peer.security.certifiedID != nil)
        let own = entries.indices.filter { entries[$0].who == who }
        if let transfer, let same = own.last(where: { entries[$0].transfer == transfer }) { return same }
        guard let at = own.last(where: { entries[$0].isOver || transfer == nil || entries[$0].transfer == nil }) else {
            return append(who, peer.title.string, transfer)
        }
        entries[at].row.name = peer.title.string
        if entries[at].isOver {
            (entries[at].turn, entries[at].isConcluded, entries[at].row.fraction) = (nil, false, nil)
            entries[at].transfer = nil
            set(.asks, at)
        }
        entries[at].transfer = transfer ?? entries[at].transfer
        return at
    }

    // MARK: Phones

    /// A phone downloads a file.
    package mutating func note(_ download: PhoneDownload) {
        let at = index(of: .download(download.number), name: download.client)
        let file = DisplayText(escaping: download.name).string
        let percent = Wording.percent(download.fraction)
        switch download.state {
        case .running:
            entries[at].turn = download.turn
            let isWaiting = (download.turn?.place ?? 1) > 1
            let words = isWaiting ? waitingWords(at) + ":" : "downloads"
            set(isWaiting ? .waits : .receives, at, "\(words) \(file), \(percent)", download.fraction)
        case .complete: set(.received, at, "has \(file)")
        case .interrupted: set(.lost, at, "stopped at \(percent) of \(file); can go on")
        }
    }

    /// A phone sends a file.
    package mutating func note(_ upload: PhoneUpload) {
        let name = upload.file.phone?.title.string
        let at = index(of: .upload(upload.number), name: upload.file.client, title: name)
        let file = upload.file.quotedName.string
        if upload.length < upload.file.size {
            set(.sends, at, "sends \(file), \(Wording.percent(upload.fraction))", upload.fraction)
        } else {
            set(.received, at, "has sent \(file)")
        }
    }

    /// A phone gets a file by LocalSend.
    package mutating func note(_ transfer: LocalSendTransfer) {
        let at = index(of: transfer)
        let file = DisplayText(escaping: transfer.name).string
        entries[at].row.phone = transfer.phone.number
        switch transfer.state {
        case .preparing: set(.waits, at, "waits until \(file) is made")
        case .asking: set(.waits, at, "waits for your answer about \(file)")
        case .waiting: set(.reviews, at, "waits for an answer about \(file)")
        case .running:
            entries[at].turn = transfer.turn
            let percent = Wording.percent(transfer.fraction)
            if (transfer.turn?.place ?? 1) > 1 {
                set(.waits, at, "\(waitingWords(at)): \(file), \(percent)", transfer.fraction)
            } else {
                let left = transfer.secondsLeft.map { ", \(Wording.duration(.seconds($0))) left" } ?? ""
                set(.receives, at, "receives \(file), \(percent)\(left)", transfer.fraction)
            }
        case .complete: end(.received, at, "has \(file)")
        case .ended(let end):
            let words = end.isAfterBeginning ? "\(end.words): \(file)" : end.words
            self.end(Self.state(after: end), at, words)
        }
    }

    /// Returns the row of a transfer: its own one, or the one of a transfer to the same phone without success, whose place it takes.
    private mutating func index(of transfer: LocalSendTransfer) -> Int {
        let phone = transfer.phone.number
        let (who, name) = (Who.localSend(transfer.number, phone: phone), transfer.phone.title.string)
        if let own = entries.firstIndex(where: { $0.who == who }) { return own }
        let former = entries.lastIndex { entry in
            guard case .localSend(_, phone) = entry.who else { return false }
            return entry.isOver && entry.row.state != .received
        }
        let at = former ?? append(who, name, nil)
        (entries[at].who, entries[at].row.name, entries[at].turn) = (who, name, nil)
        return at
    }

    private mutating func end(_ state: AppWindowReceiver.State, _ at: Int, _ words: String) {
        entries[at].row.phone = nil
        set(state, at, words)
    }

    private static func state(after end: LocalSendEnd) -> AppWindowReceiver.State {
        switch end {
        case .declined: .refused
        case .notNeeded: .received
        case .cancelledThere, .stoppedHere: .stopped
        case .lost: .lost
        case .noPIN, .wrongPIN, .busy, .unreachable, .otherDevice, .damaged, .noFile, .failedThere: .failed
        }
    }

    private mutating func index(of who: Who, name client: String, title: String? = nil) -> Int {
        let name = title ?? "Phone \(DisplayText(escaping: client).string)"
        return entries.firstIndex { $0.who == who } ?? append(who, name, nil)
    }

    // MARK: Rows

    private mutating func append(_ who: Who, _ name: String, _ transfer: Int?) -> Int {
        if entries.count >= AppWindowReceiver.maximumCount {
            // Who is over goes first.
            entries.remove(at: entries.firstIndex { $0.isOver } ?? 0)
        }
        let row = AppWindowReceiver(name: name, state: .asks, words: Self.words(.asks))
        entries.append(Entry(who: who, transfer: transfer, row: row))
        return entries.count - 1
    }

    private mutating func set(
        _ state: AppWindowReceiver.State,
        _ index: Int,
        fraction: Double? = nil,
        left: Duration? = nil
    ) {
        var words = Self.words(state)
        switch state {
        case .waits: words = waitingWords(index)
        case .receives:
            if let fraction { words += " \(Wording.percent(fraction))" }
            if let left { words += ", \(Wording.duration(left)) left" }
        default: break
        }
        set(state, index, words, fraction)
    }

    private mutating func set(
        _ state: AppWindowReceiver.State,
        _ index: Int,
        _ words: String,
        _ fraction: Double? = nil
    ) {
        (entries[index].row.state, entries[index].row.words, entries[index].row.fraction) = (state, words, fraction)
    }

    /// The place of one that waits, in words.
    private func waitingWords(_ index: Int) -> String {
        guard let turn = entries[index].turn else { return Self.words(.waits) }
        let time = turn.timeLeft.map { ", \(Wording.roughly($0))" } ?? ""
        return "\(Self.words(.waits)), \(Wording.ordinal(turn.place))\(time)"
    }

    private static func words(_ state: AppWindowReceiver.State) -> String {
        switch state {
        case .asks: "asks you"
        case .reviews: "looks at the offer"
        case .waits: "waits"
        case .receives: "receives"
        case .finishes: "puts it into its store"
        case .sends: "sends"
        case .received: "has it"
        case .declined: "you said no"
        case .refused: "did not want it"
        case .lost: "connection lost; can go on"
        case .stopped: "stopped"
        case .failed: "did not get it"
        }
    }
}
