import Testing

/// The stream ended before what the test waits for.
struct StreamEnded: Error {}

extension AsyncStream where Element: Sendable {
    /// Takes elements up to the first that `transform` turns into a value.
    func first<Value>(_ transform: (Element) -> Value?) async throws -> Value {
        for await element in self {
            if let value = transform(element) { return value }
        }
        try Task.checkCancellation()
        throw StreamEnded()
    }

    /// Takes elements up to the first that equals one.
    func first(_ wanted: Element) async throws where Element: Equatable {
        _ = try await first { $0 == wanted ? true : nil }
    }
}
