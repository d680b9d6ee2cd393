import ExampleSupport
import Foundation
import NearbyPeers

/// Files that are sent and received in the chat.
struct Files {
    let session: PeerSession
    /// Where received files go.
    let folder: URL

    /// Sends a file to everybody who is connected.
    func send(_ path: String) async {
        for peer in session.connectedPeers {
            let name = session.name(of: peer)
            do {
                let sending = try await session.send(file: URL(fileURLWithPath: path), to: peer)
                try await sending.finished()
                show("-- \(name) has \(sending.name)")
            } catch {
                show("-- \(name) does not get the file: \(error.message)")
            }
        }
    }

    /// Takes every file that is offered.
    func take(_ offers: IncomingResources) async {
        await withDiscardingTaskGroup { group in
            for await offer in offers {
                group.addTask {
                    let name = session.name(of: offer.peer)
                    do throws(PeerError) {
                        guard case .file(let url) = try await offer.receive(.folder(folder)) else { return }
                        show("-- \(name) sent \(url.lastPathComponent), \(offer.size) bytes")
                    } catch {
                        show("-- \(offer.name) from \(name) did not arrive: \(error.message)")
                    }
                }
            }
        }
    }
}
