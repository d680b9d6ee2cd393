import Glibc

/// System calls.
///
/// All operations of a storage on its files use this type.
package enum SystemCall {
    /// Makes a call, repeats it while signals interrupt it, and returns its result.
    @discardableResult
    package static func perform<Result: BinaryInteger>(
        _ operation: FileOperation,
        _ path: @autoclosure () -> String,
        _ faults: (any FaultInjector)?,
        _ call: () -> Result
    ) throws(SystemError) -> Result {
        guard let faults else { return try retrying(call) }
        let path = path()
        _ = try faults.begin(operation, path, count: 0)
        let result = try retrying(call)
        faults.end(operation, path)
        return result
    }

    /// Makes a call that transfers up to `count` bytes, repeats it while signals interrupt it, and returns the number of
    /// transferred bytes.
    ///
    /// `call` gets the maximum number of bytes.
    package static func move(
        _ operation: FileOperation,
        _ path: @autoclosure () -> String,
        _ faults: (any FaultInjector)?,
        count: Int,
        _ call: (_ count: Int) -> Int
    ) throws(SystemError) -> Int {
        guard let faults else { return try retrying { call(count) } }
        let path = path()
        let allowed = try faults.begin(operation, path, count: count)
        let result = try retrying { call(allowed) }
        faults.end(operation, path)
        return result
    }

    private static func retrying<Result: BinaryInteger>(_ call: () -> Result) throws(SystemError) -> Result {
        while true {
            let result = call()
            if result != -1 { return result }
            guard errno == EINTR else { throw SystemError(number: errno) }
        }
    }
}
