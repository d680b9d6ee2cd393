"""What can happen to a transfer while it runs."""
import os, random, signal

from soak.plan import LADDER


class Faults:
    """The faults of a transfer, one after the other."""

    # How a receiver may end because of one: not found, lost, stopped there or a link that is no longer good, disk full, no
    # discovery.
    CODES = {
        "kill receiver": set(), "interrupt receiver": set(), "full disk": {7},
        "pause receiver": {3, 4}, "pause sender": {3, 4}, "reshape": {3, 4}, "cut": {3, 4}, "cut and kill receiver": {3, 4},
        "move sender": {3, 4}, "move receiver": {3, 4}, "avahi of sender": {3}, "avahi of receiver": {3, 8},
        "kill sender": {3, 4, 5}, "restart sender": {3, 4, 5},
    }

    def __init__(self, transfer):
        self.transfer, self.plan, self.network = transfer, transfer.plan, transfer.soak.network
        self.waiting = list(self.plan.faults)
        # Since when nothing is wrong; None while something is, or the clock does not run yet.
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
        """Ends what is wrong."""
        if self.undo:
            undo, self.undo = self.undo, None
            undo()
            self.calm_since = now

    def begin(self, fault, now):
        act = getattr(self, fault.kind.replace(" ", "_"))
        self.fault = fault
        self.undo = act(fault)
        if self.undo is False:
            # There was nobody whom it could have happened to.
            self.undo = None
            return
        self.happened.append(fault)
        self.until, self.calm_since = now + fault.lasts, now

    def receiver(self, fault):
        """The receiver that is meant, if it runs."""
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
        program = self.transfer.sending.program
        program.send_signal(signal.SIGSTOP)
        return lambda: program.send_signal(signal.SIGCONT)

    def kill_sender(self, fault):
        self.transfer.sending.kill()
        return self.restart(fault)

    def restart_sender(self, fault):
        self.transfer.sending.stop()
        return self.restart(fault)

    def restart(self, fault):
        sending = self.transfer.sending
        return lambda: sending.start(sending.port if fault.other_way else None)

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
