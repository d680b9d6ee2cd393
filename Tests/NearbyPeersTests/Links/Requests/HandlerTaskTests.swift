import Testing

@testable import NearbyPeers

@Suite struct HandlerTaskTests {
    /// The task of a handler may begin long after its request came.
    @Test func aHandlerThatIsCancelledBeforeItBeginsIsCancelledThen() async {
        let handler = HandlerTask()
        handler.cancel()
        let isCancelled = await Task {
            var isCancelled = false
            await handler.run { isCancelled = Task.isCancelled }
            return isCancelled
        }.value
        #expect(isCancelled)
        #expect(handler.hasEnded)
    }

    @Test func aHandlerThatRunsIsCancelled() async {
        let handler = HandlerTask()
        let isCancelled = await Task {
            var isCancelled = false
            await handler.run {
                handler.cancel()
                isCancelled = Task.isCancelled
            }
            return isCancelled
        }.value
        #expect(isCancelled)
    }
    /// What a handler does when it is cancelled may withdraw its own request.
    @Test func aHandlerMayBeCancelledOnceMoreByWhatCancellingItRuns() async {
        let handler = HandlerTask()
        let isCancelled = await Task {
            var isCancelled = false
            await handler.run {
                await withTaskCancellationHandler {
                    handler.cancel()
                    isCancelled = Task.isCancelled
                } onCancel: {
                    handler.cancel()
                }
            }
            return isCancelled
        }.value
        #expect(isCancelled)
        #expect(handler.hasEnded)
    }
}
