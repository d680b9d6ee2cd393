import FuzzBodies
import Glibc

/// libFuzzer's loop; its own main function, which would call this, gives way to ours when the package is linked.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ testOneInput: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Runs one input; under this name libFuzzer's own main function asks for it too.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try Fuzzing.target.run(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        fatalError("\(error)")
    }
    return 0
}

/// Runs the target that `HIKESHARE_FUZZ_TARGET` names with inputs that libFuzzer makes; the arguments are libFuzzer's.
@main enum Fuzzing {
    static let target: FuzzTarget = {
        guard let name = getenv("HIKESHARE_FUZZ_TARGET"), let target = FuzzTarget(rawValue: String(cString: name))
        else {
            fatalError("HIKESHARE_FUZZ_TARGET must be one of \(FuzzTarget.allCases.map(\.rawValue))")
        }
        return target
    }()

    static func main() {
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        exit(runDriver(&count, &arguments, testOneInput))
    }
}
