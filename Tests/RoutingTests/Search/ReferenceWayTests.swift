import Foundation
import PeerTestSupport
import Testing

@testable import Routing

/// The cheapest ways as another program finds them: networkx.
///
/// `Scripts/setup test` installs it.
@Suite(.timeLimit(.minutes(10))) struct ReferenceWayTests {
    static let example = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../../Docs/example/coma-pedrosa.routing.db"
    ).standardizedFileURL.path

    /// 10,000 pairs of nodes by networkx, on the example and on the files that `HIKESHARE_ROUTING_GRAPHS` names, separated by colons.
    @Test(
        arguments: [example]
            + (ProcessInfo.processInfo.environment["HIKESHARE_ROUTING_GRAPHS"] ?? "").split(separator: ":").map(
                String.init
            )
    )
    func costsAreThoseOfNetworkX(path: String) async throws {
        let graph = try RoutingGraph(reading: path)
        let lines = try await ReferencePrograms.run("routing.py", [path, "57", "10000"])
        var (count, different) = (0, [String]())
        for line in lines {
            let words = line.split(separator: " ")
            guard words.count == 3, let start = Int(words[0]), let end = Int(words[1]) else { continue }
            count += 1
            let expected = words[2] == "-" ? nil : Double(words[2])
            let cost = graph.cost(start, end)
            if cost != expected { different.append("\(line): \(cost.map { "\($0)" } ?? "-")") }
        }
        #expect(count == 10_000)
        #expect(different.isEmpty, "\(different.count): \(different.prefix(5))")
    }
}

extension RoutingGraph {
    /// Returns the cost of the cheapest way between two nodes; nil if there is none.
    func cost(_ start: Int, _ end: Int) -> Double? {
        func place(_ node: Int) -> GraphPlace {
            GraphPlace(edge: 0, part: 0, node: node, coordinate: nodes[node].coordinate)
        }
        return leg(from: place(start), to: place(end)).leg?.cost
    }
}
