import ArgumentParser

/// How results are written.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// For people.
    case text
    /// For programs: one JSON object a line.
    case json
}
