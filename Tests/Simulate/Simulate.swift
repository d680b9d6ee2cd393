import Foundation
import GroupSimulation

/// Simulates groups of peers with faults, and prints what does not hold.
///
/// Work is shared by processes, one for each processor. Their tables of hashes all begin in the same way, or the order of
/// dictionaries, and so what happens, would be another one in each process.
@main struct Simulate {
    private static let usage = """
        usage: Simulate FIRST-SEED [COUNT]              simulate these seeds
               Simulate --minutes MINUTES FIRST-SEED    simulate as many as there is time for
               Simulate --one-failure FIRST-SEED COUNT  stop at the first failure, and do not make it smaller
               Simulate --log SEED                      print what the sessions of a seed log
        """

    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard ProcessInfo.processInfo.environment[Workers.variable] != nil else {
            exit(try Workers(arguments: arguments).run())
        }
        switch (arguments.first, arguments.dropFirst().compactMap { UInt64($0) }) {
        case ("--log", let numbers) where numbers.count == 1: try await log(numbers[0])
        case ("--minutes", let numbers) where numbers.count == 2:
            let end = ContinuousClock.now + .seconds(numbers[0].clamped * 60)
            exit(try await simulate(from: numbers[1], to: .max) { ContinuousClock.now < end })
        case ("--one-failure", let numbers) where numbers.count == 2:
            exit(try await simulate(from: numbers[0], to: numbers[0] &+ numbers[1], stopsAtFailure: true) { true })
        case (let first?, let numbers):
            guard let seed = UInt64(first), numbers.count == arguments.count - 1, numbers.count <= 1 else {
                fallthrough
            }
            exit(try await simulate(from: seed, to: seed &+ (numbers.first ?? 1)) { true })
        default:
            print(usage)
            exit(64)
        }
    }

    private static func log(_ seed: UInt64) async throws {
        let plan = Plan(seed: seed)
        print(plan)
        let report = try await Simulation(plan, isLogged: true).run()
        print(report.problems.joined(separator: "\n"))
    }

    /// Simulates the seeds of this process.
    ///
    /// - Returns: The exit status.
    private static func simulate(
        from first: UInt64,
        to end: UInt64,
        stopsAtFailure: Bool = false,
        while goesOn: () -> Bool
    ) async throws -> Int32 {
        var tally = Tally()
        let (index, step) = Workers.share
        var seed = first &+ index
        while seed < end, goesOn() {
            let report = try await Simulation(Plan(seed: seed)).run()
            tally.seeds += 1
            tally.messages += UInt64(report.messageCount)
            tally.digest ^= report.digest &* (seed | 1)
            if !report.problems.isEmpty {
                tally.failures += 1
                print("seed \(seed):")
                for problem in report.problems.prefix(10) { print("  \(problem)") }
                if stopsAtFailure { break }
                if tally.failures <= 3 { await printSmallest(Plan(seed: seed)) }
            }
            seed += step
        }
        print(tally.text)
        return tally.failures == 0 ? 0 : 1
    }

    private static func printSmallest(_ plan: Plan) async {
        let smallest = await Shrinker { plan in
            guard let report = try? await Simulation(plan).run() else { return false }
            return !report.problems.isEmpty
        }.shrink(plan)
        print("the smallest plan that was found:")
        print(smallest)
        if let problems = try? await Simulation(smallest).run().problems { print(problems.joined(separator: "\n")) }
    }
}

extension UInt64 {
    fileprivate var clamped: Int { Int(clamping: self) }
}
