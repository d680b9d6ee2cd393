import FoundationEssentials
import MapPages
import RegionSharing
import RegionStore
import SharingReports
import Synchronization

/// The phones to which a sender can send, as a list in the window, and what the person has chosen there.
///
/// What is chosen while nobody asks for it is kept, so a button does something at any time.
package final class PhoneList: Sendable {
    private struct State {
        var phones: [LocalSendPhone] = []
        /// What is offered to phones; nil before that is known, and after the end.
        var offer: (regions: [RegionSummary], kinds: [UUID: [DownloadKind]])?
        /// What is sent to each phone, by the number of the phone, and whether that goes on.
        var transfers: [Int: LocalSendTransfer] = [:]
        var chosen: [PhonesAnswer] = []
        var asking: AsyncStream<PhonesAnswer>.Continuation?

        /// Returns what a wish means; nil if the phone, or what it would get, is not there any more.
        func answer(for wish: AppWindowPhone.Wish) -> PhonesAnswer? {
            switch wish {
            case .send(let number, let region, let kind):
                guard let phone = phones.first(where: { $0.number == number }), transfers[number] == nil,
                    let id = UUID(uuidString: region), let kind = DownloadKind(rawValue: kind),
                    offer?.kinds[id]?.contains(kind) == true
                else { return nil }
                return .send(PhoneChoice(phone, id, kind))
            case .stop(let number): return transfers[number].map { .stop($0.phone) }
            }
        }
    }

    /// The maximum number of choices that are kept.
    private static let maximumCount = 16
    private let window: AppWindow
    private let state = Mutex(State())

    init(in window: AppWindow) { self.window = window }

    /// Shows the phones that are there now.
    func show(_ phones: [LocalSendPhone]) {
        state.withLock { $0.phones = phones }
        show()
    }

    /// Notes what becomes of something that is sent to a phone.
    func note(_ transfer: LocalSendTransfer) {
        state.withLock { $0.transfers[transfer.phone.number] = transfer.isOver ? nil : transfer }
        show()
    }

    /// Ends the list.
    func end() {
        state.withLock { $0.offer = nil }
        window.phones.endList()
    }

    /// Waits until the person has chosen something.
    ///
    /// - Throws: `CancellationError` if the task was cancelled.
    func answer(to question: PhonesQuestion) async throws -> PhonesAnswer {
        let (answers, asking) = AsyncStream.makeStream(of: PhonesAnswer.self)
        let kept = state.withLock { state -> PhonesAnswer? in
            (state.phones, state.offer) = (question.phones, (question.regions, question.kinds))
            if !state.chosen.isEmpty { return state.chosen.removeFirst() }
            state.asking = asking
            return nil
        }
        show()
        if let kept { return kept }
        return try await withThrowingTaskGroup(of: PhonesAnswer?.self) { group in
            group.addTask { await answers.first { _ in true } }
            group.addTask {
                for await phones in question.later { self.show(phones) }
                return nil
            }
            defer {
                state.withLock { $0.asking = nil }
                group.cancelAll()
            }
            while let ended = try await group.next() {
                if let ended { return ended }
                try Task.checkCancellation()
            }
            throw CancellationError()
        }
    }

    private func show() {
        let (phones, files) = state.withLock { state in
            let regions = state.offer?.regions ?? []
            let files = regions.flatMap { region in
                (state.offer?.kinds[region.id] ?? []).map { kind in
                    AppWindowPhone.File(
                        region: region.id.uuidString,
                        regionName: regions.count > 1 ? DisplayText(escaping: region.name).string : nil,
                        kind: kind.rawValue,
                        title: kind.phoneWords
                    )
                }
            }
            let phones = state.phones.map { phone in
                AppWindowPhone(
                    number: phone.number,
                    name: phone.title.string,
                    facts: phone.details.map(\.string).joined(separator: " · "),
                    isBusy: state.transfers[phone.number] != nil
                )
            }
            return (state.offer == nil ? nil : phones, files)
        }
        if let phones { window.phones.show(phones, files: files) { [weak self] in self?.choose($0) ?? false } }
    }

    /// Notes a choice; returns false if it cannot be done any more.
    private func choose(_ wish: AppWindowPhone.Wish) -> Bool {
        state.withLock { state in
            guard let answer = state.answer(for: wish) else { return false }
            if let asking = state.asking {
                asking.yield(answer)
                asking.finish()
                state.asking = nil
                return true
            }
            guard state.chosen.count < Self.maximumCount else { return false }
            state.chosen.append(answer)
            return true
        }
    }
}
