import Testing

/// Expects a value, also from a mutating call, which `#expect` cannot take apart.
func expect<Value: Equatable>(
    _ value: Value,
    equals expected: Value,
    _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(value == expected, comment, sourceLocation: sourceLocation)
}
