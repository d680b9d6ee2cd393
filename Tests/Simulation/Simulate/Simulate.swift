import Foundation
import GroupSimulation

/// Simulates groups of peers with faults, and prints what does not hold.
///
/// Work is shared by processes, one for each processor. Their tables of hashes all begin in the same way, or the order of
/// dictionaries, and so what happens, would be another one in each process.
@main struct Simulate {
    private static let usage = """
        usage: Simulate [OPTION...] FIRST-SEED [COUNT]   simulate these seeds
               Simulate --minutes MINUTES FIRST-SEED     simulate as many as there is time for
               Simulate --log SEED                       print what the sessions of a seed log
               Simulate --film SEED FILE                 write a page that shows the life of a group of twelve
          --brief               most seeds have small groups, and end as soon as their worlds are whole
          --one-failure         stop at the first failure, and do not make it smaller
          --without-resources   leave out the resources of the plans
        """

    static func main() async throws {
        guard ProcessInfo.processInfo.environment[Workers.variable] != nil else {
            exit(try Workers(arguments: Array(CommandLine.arguments.dropFirst())).run())
        }
        let options = CommandLine.arguments.dropFirst().prefix { $0.hasPrefix("--") }
        let words = CommandLine.arguments.dropFirst(1 + options.count)
        if options == ["--film"], words.count == 2, let first = words.first, let seed = UInt64(first) {
            exit(try await film(seed, words[words.startIndex + 1]))
        }
        let numbers = words.compactMap { UInt64($0) }
        guard numbers.count == words.count, !numbers.isEmpty, numbers.count <= 2 else { exitWithUsage() }
        switch (options, numbers.count) {
        case (["--log"], 1): try await log(numbers[0])
        case (["--minutes"], 2):
            let end = ContinuousClock.now + .seconds(numbers[0].clamped * 60)
            exit(try await simulate(from: numbers[1], to: .max, options: []) { ContinuousClock.now < end })
        default:
            let known = options.compactMap { Option(rawValue: $0) }
            guard known.count == options.count else { exitWithUsage() }
            let end = numbers[0] &+ (numbers.dropFirst().first ?? 1)
            exit(try await simulate(from: numbers[0], to: end, options: Set(known)) { true })
        }
    }

    private enum Option: String {
        case brief = "--brief"
        case oneFailure = "--one-failure"
        case withoutResources = "--without-resources"
    }

    private static func exitWithUsage() -> Never {
        print(usage)
        exit(64)
    }

    private static func log(_ seed: UInt64) async throws {
        let plan = Plan(seed: seed)
        print(plan)
        let report = try await Simulation(plan, isLogged: true).run()
        print(report.problems.joined(separator: "\n"))
    }

    /// Writes a page if all is well.
    ///
    /// - Returns: The exit status.
    private static func film(_ seed: UInt64, _ file: String) async throws -> Int32 {
        let plan = Plan(filmOf: seed)
        let simulation = try Simulation(plan, isFilmed: true)
        let report = await simulation.run()
        guard report.problems.isEmpty else {
            print("seed \(seed) of films:")
            for problem in report.problems { print("  \(problem)") }
            return 1
        }
        let film = Film(of: simulation)
        try FilmPage(film).html().write(toFile: file, atomically: true, encoding: .utf8)
        print("\(file): \(film.length / 1000) s, \(film.messages.count) messages, heard \(film.heardCount) times")
        return 0
    }

    /// Simulates the seeds of this process.
    ///
    /// - Returns: The exit status.
    private static func simulate(
        from first: UInt64,
        to end: UInt64,
        options: Set<Option>,
        while goesOn: () -> Bool
    ) async throws -> Int32 {
        var tally = Tally()
        // Twenty-five in a row: every 25th seed takes longer.
        let (index, count) = Workers.share
        var seed = first
        while seed < end, goesOn() {
            defer { seed += 1 }
            guard (seed &- first) / 25 % count == index else { continue }
            let isBrief = options.contains(.brief) && seed % 25 != 0
            let hasResources = !options.contains(.withoutResources)
            let plan = Plan(seed: seed, hasResources: hasResources, maximumCount: isBrief ? 4 : 12)
            let report = try await Simulation(plan, isBrief: isBrief).run()
            tally.add(report, of: seed)
            if !report.problems.isEmpty {
                print("seed \(seed):")
                for problem in report.problems.prefix(10) { print("  \(problem)") }
                if options.contains(.oneFailure) { break }
                if tally.failures <= 3 { await printSmallest(plan, isBrief: isBrief) }
            }
        }
        print(tally.text)
        return tally.failures == 0 ? 0 : 1
    }

    private static func printSmallest(_ plan: Plan, isBrief: Bool) async {
        let smallest = await Shrinker { plan in
            guard let report = try? await Simulation(plan, isBrief: isBrief).run() else { return false }
            return !report.problems.isEmpty
        }.shrink(plan)
        print("the smallest plan that was found:")
        print(smallest)
        if let report = try? await Simulation(smallest, isBrief: isBrief).run() {
            print(report.problems.joined(separator: "\n"))
        }
    }
}

extension UInt64 {
    fileprivate var clamped: Int { Int(clamping: self) }
}
