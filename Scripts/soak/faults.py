"""The faults that happen during a transfer."""
import os, random, signal

from soak.plan import LADDER


class Faults:
    """Causes the faults of a transfer, one after the other."""

    # The exit codes of `receive` that each fault can cause: 3 sender not found, 4 connection lost, 5 stopped by the sender
    # or link no longer valid, 7 disk full, 8 no discovery.
    CODES = {
        "kill receiver": set(), "interrupt receiver": set(), "full disk": {7},
        "pause receiver": {3, 4}, "pause sender": {3, 4}, "reshape": {3, 4}, "cut": {3, 4}, "cut and kill receiver": {3, 4},
        "move sender": {3, 4}, "move receiver": {3, 4}, "avahi of sender": {3}, "avahi of receiver": {3, 8},
        "kill sender": {3, 4, 5}, "restart sender": {3, 4, 5},
    }

    def __init__(self, transfer):
        self.transfer, self.plan, self.network = transfer, transfer.plan, transfer.soak.network
        self.waiting = list(self.plan.faults)
        # When the last fault began or ended; None before the clock runs.
        self.calm_since = None
        self.undo = None
        self.happened = []
        self.dice = random.Random(f"{transfer.soak.seed}/{transfer.number}/faults")

    def codes(self):
        return set().union({0}, *(self.CODES[fault.kind] for fault in self.happened))

    def step(self, now):
        if self.undo:
            if now >= self.until or self.fault.kind == "full disk" and self.has_met_full_disk():
                self.calm(now)
            return
        if self.calm_since is None:
            if self.plan.waits and not self.transfer.flows():
                return
            self.calm_since = now
        if self.waiting and now >= self.calm_since + self.waiting[0].after:
            self.begin(self.waiting.pop(0), now)

    def calm(self, now):
        """Ends the current fault."""
        if self.undo:
            undo, self.undo = self.undo, None
            undo()
            self.calm_since = now

    def begin(self, fault, now):
        act = getattr(self, fault.kind.replace(" ", "_"))
        self.fault = fault
        self.undo = act(fault)
        if self.undo is False:
            # The receiver did not run.
            self.undo = None
            return
        self.happened.append(fault)
        self.until, self.calm_since = now + fault.lasts, now

    def receiver(self, fault):
        """The program of the receiver that the fault is for, if it runs."""
        receiver = self.transfer.receivers[fault.target]
        return receiver.program if receiver.program and receiver.program.code is None else None

    def signal_receiver(self, fault, number):
        program = self.receiver(fault)
        if not program:
            return False
        program.send_signal(number)
        return None

    def kill_receiver(self, fault):
        return self.signal_receiver(fault, signal.SIGKILL)

    def interrupt_receiver(self, fault):
        return self.signal_receiver(fault, signal.SIGINT)

    def pause_receiver(self, fault):
        program = self.receiver(fault)
        if not program:
            return False
        program.send_signal(signal.SIGSTOP)
        return lambda: program.send_signal(signal.SIGCONT)

    def pause_sender(self, fault):
        program = self.transfer.sender.program
        program.send_signal(signal.SIGSTOP)
        return lambda: program.send_signal(signal.SIGCONT)

    def kill_sender(self, fault):
        self.transfer.sender.kill()
        return self.restart(fault)

    def restart_sender(self, fault):
        self.transfer.sender.stop()
        return self.restart(fault)

    def restart(self, fault):
        sender = self.transfer.sender
        return lambda: sender.start(sender.port if fault.other_way else None)

    def cut(self, fault):
        self.network.call("cut")
        return lambda: self.network.call("join")

    def cut_and_kill_receiver(self, fault):
        if self.kill_receiver(fault) is False:
            return False
        return self.cut(fault)

    def move_sender(self, fault):
        self.network.move("a", self.dice, fault.other_way)

    def move_receiver(self, fault):
        self.network.move("b", self.dice, fault.other_way)

    def avahi_of_sender(self, fault):
        return self.restart_avahi("a", fault)

    def avahi_of_receiver(self, fault):
        return self.restart_avahi("b", fault)

    def restart_avahi(self, side, fault):
        self.network.call("avahi", side, "kill" if fault.other_way else "stop")
        return lambda: self.network.call("avahi", side, "start")

    def reshape(self, fault):
        self.network.shape(self.dice.choice(LADDER))
        return lambda: self.network.shape(self.plan.rung)

    def full_disk(self, fault):
        if not self.receiver(fault):
            return False
        filler = os.path.join(self.transfer.soak.small_disk, "filler")
        with open(filler, "wb") as file:
            piece = 1 << 20
            while piece >= 4096:
                try:
                    os.posix_fallocate(file.fileno(), os.fstat(file.fileno()).st_size, piece)
                except OSError:
                    piece //= 2
        return lambda: os.unlink(filler)

    def has_met_full_disk(self):
        return self.transfer.receivers[0].has_failed_with(7)
