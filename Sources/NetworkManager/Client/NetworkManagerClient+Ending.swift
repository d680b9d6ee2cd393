import DBus

/// The ends of connections that this program has made.
extension NetworkManagerClient {
    /// Why a connection has ended.
    enum Ending: Sendable {
        /// The network was lost.
        case lost
        /// A person has ended it, or has chosen another network.
        case chosen
    }

    /// Waits until a connection has ended, or the task was cancelled.
    @discardableResult
    func waitForEnd(of activation: Activation) async -> Ending {
        let (ticks, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let told = Told<Ending>()
        return await withTaskGroup(of: Ending?.self) { group in
            group.addTask {
                guard let changes = try? await signals("StateChanged", in: ".Connection.Active") else { return nil }
                for await change in changes where change.path == activation.active {
                    // New state, reason; 2 is “the user has disconnected it”.
                    let reason = change.arguments.count == 2 ? change.arguments[1].unsigned : nil
                    if reason == 2 { told.tell(.chosen) }
                    continuation.yield()
                }
                return nil
            }
            group.addTask {
                guard let changes = try? await signals("StateChanged", in: ".Device") else { return nil }
                for await change in changes where change.path == activation.device {
                    // New state, old state, reason; 39 is “the user has asked for it”, 60 is “another connection begins”.
                    let reason = change.arguments.count == 3 ? change.arguments[2].unsigned : nil
                    if reason == 39 || reason == 60 { told.tell(.chosen) }
                    continuation.yield()
                }
                return nil
            }
            // No signal reports the end of NetworkManager itself, so the state is also read every two seconds.
            group.addTask {
                await Self.tick(continuation, every: .seconds(2))
                return nil
            }
            group.addTask {
                var iterator = ticks.makeAsyncIterator()
                while true {
                    let state = await state(of: activation)
                    guard state == .activated || state == .activating else { return await told.latest() ?? .lost }
                    guard await iterator.next() != nil else { return nil }
                }
            }
            defer { group.cancelAll() }
            for await ending in group {
                if let ending { return ending }
                if Task.isCancelled { break }
            }
            return .lost
        }
    }
}
