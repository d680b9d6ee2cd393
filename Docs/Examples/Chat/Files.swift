import ExampleSupport
import NearbyPeers

/// Files that are sent and received in the chat.
struct Files {
    let session: PeerSession
    /// Where received files go.
    let folder: String

    /// Sends a file to everybody who is connected.
    func send(_ path: String) async {
        do {
            let result = try await session.send(file: path)
            for (peer, error) in result.missed { showFailure(error, at: peer) }
            if result.sendings.isEmpty { show("-- no peer gets the file") }
            await withDiscardingTaskGroup { group in
                for sending in result.sendings { group.addTask { await follow(sending) } }
            }
        } catch {
            show("-- the file is not sent: \(error.message)")
        }
    }

    private func follow(_ sending: ResourceSending) async {
        do {
            try await sending.finished()
            show("-- \(session.name(of: sending.peer)) has \(sending.name)")
        } catch {
            showFailure(error, at: sending.peer)
        }
    }

    private func showFailure(_ error: PeerError, at peer: PeerID) {
        show("-- \(session.name(of: peer)) does not get the file: \(error.message)")
    }

    /// Takes every file that is offered.
    func take(_ offers: IncomingResources) async {
        await withDiscardingTaskGroup { group in
            for await offer in offers {
                group.addTask {
                    let name = session.name(of: offer.peer)
                    do throws(PeerError) {
                        guard case .file(let path) = try await offer.receive(.folder(path: folder)) else { return }
                        let file = path.split(separator: "/").last ?? ""
                        show("-- \(name) sent \(file), \(offer.size) bytes")
                    } catch {
                        show("-- \(offer.name) from \(name) did not arrive: \(error.message)")
                    }
                }
            }
        }
    }
}
