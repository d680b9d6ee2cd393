import Foundation
import NearbyPeers

/// What Scripts/bench runs to measure sessions: both sides of a session, and of the least that swift-nio needs for the same.
@main
struct SessionBench {
    static func main() async {
        guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
            FileHandle.standardError.write(Data("usage: SessionBench PROGRAM listen|connect [--NAME VALUE...]\n".utf8))
            exit(64)
        }
        do {
            switch options.program {
            case "json": try JSONAlone.run(options)
            case let program where program.hasPrefix("bare-"): try await Bare.run(options)
            default: try await Sessions.run(options)
            }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
        exit(0)
    }
}
