import Testing

@testable import PeerProtocol

@Suite struct StreamTableTests {
    private func stream(_ number: UInt32) -> LinkStream {
        let opening = StreamOpening(stream: number, kind: .bytes, isOneWay: false, name: "s")
        return LinkStream(opening, isOpenedHere: true, window: Int(number), sendLimit: 9, maximumMessageLength: 9)
    }

    /// Whatever is added, changed and removed, it holds what a dictionary would.
    @Test(arguments: 0..<20 as Range<UInt64>) func itIsADictionary(seed: UInt64) {
        var random = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func next(_ limit: UInt64) -> UInt64 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (random >> 33) % limit
        }
        var (table, expected) = (StreamTable(), [UInt32: Bool]())
        for _ in 0..<2000 {
            let number = UInt32(next(30))
            switch next(4) {
            case 0 where expected[number] == nil:
                table.add(number, stream(number))
                expected[number] = false
            case 1:
                #expect((table.remove(number) != nil) == (expected.removeValue(forKey: number) != nil))
            default:
                table[number]?.isInRotation.toggle()
                expected[number]?.toggle()
            }
            #expect(table[number]?.isInRotation == expected[number])
            #expect(table.count == expected.count && table.isEmpty == expected.isEmpty)
        }
        #expect(Set(table.numbers) == Set(expected.keys))
        for (number, isInRotation) in expected {
            #expect(table[number]?.isInRotation == isInRotation)
            #expect(table[number]?.windowLength == Int(number))
        }
    }
}
