import Testing

@testable import Diagnosis

@Suite struct FindingCodeTests {
    @Test func codesAreUnique() {
        #expect(Set(Finding.Code.all).count == Finding.Code.all.count)
    }
}
