package import MapPages
import RegionSharing
package import RegionStore
import WebServer

/// What the pages of the window can ask the program to do, and read of it.
package struct WindowActions: Sendable {
    let desk: WindowDesk
    /// The store, for what is only read.
    let store: RegionStore
    /// How large parts of the map are that was asked for last.
    let partSizes = KnownPartSizes()
    /// Plans routes, and keeps the routing database that was used last.
    let planner: RoutePlanner

    package init(at desk: WindowDesk, reading store: RegionStore) {
        (self.desk, self.store, planner) = (desk, store, RoutePlanner(store: store))
    }

    /// The actions, by name.
    package var all: [String: AppWindowAction] {
        let topics = [
            general, receiving, sending, adding, keeping, editing, planning, exporting, peers, phones, checking,
        ]
        return topics.reduce(into: [:]) { all, some in all.merge(some) { $1 } }
    }

    /// What can be read, by name.
    package var readings: [String: AppWindowSite.Reading] {
        let own = ["peers": peersReading, "routes": routesReading]
        return [sendingReadings, regionReadings, addingReadings, own].reduce(into: [:]) { all, some in
            all.merge(some) { $1 }
        }
    }

    /// What takes a while to find out, by name.
    package var askings: [String: AppWindowSite.Asking] { ["plan": plan] }

    /// Questions, the name of this machine, and the end.
    private var general: [String: AppWindowAction] {
        struct Nothing: Decodable {}
        struct Answer: Decodable {
            var question: Int
            var answer: String
        }
        struct Name: Decodable { var answer: String }
        return [
            "answer": AppWindowAction(Answer.self) { sent in
                guard !sent.answer.utf8.contains(10) else { return AppWindowAction.invalid }
                return desk.window.answer(sent.answer, to: sent.question)
                    ? AppWindowAction.done
                    : WebResponse(.conflict, "This question has expired, or was answered in another window.")
            },
            "name": AppWindowAction(Name.self) { rename($0.answer) },
            "stop": AppWindowAction(Nothing.self) { _ in
                desk.window.stop() ? AppWindowAction.done : WebResponse(.conflict, "There is nothing to stop.")
            },
            "quit": AppWindowAction(Nothing.self) { _ in
                desk.window.close()
                return AppWindowAction.done
            },
        ]
    }

    private func rename(_ text: String) -> WebResponse {
        guard !desk.window.isRunning else {
            return WebResponse(.conflict, "You can change your name when nothing is sent or received.")
        }
        guard let name = OwnName(argument: text)?.text else {
            return WebResponse(.badRequest, "That name is empty or too long.")
        }
        let isKept = (try? store.setDisplayName(name)) != nil
        // Phones list this machine under it.
        if isKept { desk.renameListening() }
        return isKept ? AppWindowAction.done : WebResponse(.failed, "The name cannot be kept.")
    }
}
