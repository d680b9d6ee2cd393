"""One transfer: a sender, its receivers, the faults, and the checks of the result."""
import os, signal, time

from common.processes import PATIENCE, expect, wait_until
from soak.faults import Faults
from soak.programs import PAUSE, Program

MIB = 1 << 20
# The bytes that may be transferred twice after an interruption.
TWICE = 4 * MIB


class Receiver:
    """A store that receives: `receive` is started again until it succeeds."""

    def __init__(self, transfer, index, store, need):
        self.transfer, self.index, self.store, self.need = transfer, index, store, need
        self.last_transfer = store.last_transfer()
        self.program, self.ended, self.next_start = None, [], 0
        # The bytes that the store had when each program was started.
        self.stored = []

    @property
    def is_done(self):
        return bool(self.ended) and self.ended[-1].code == 0

    def lines(self, *types):
        return [line for program in self.programs for line in program.lines(*types)]

    @property
    def programs(self):
        return self.ended + ([self.program] if self.program else [])

    def has_failed_with(self, code):
        return any(program.code == code for program in self.ended)

    def step(self, now):
        if self.program:
            if self.program.code is None:
                return
            program, self.program = self.program, None
            self.ended.append(program)
            # After an offer, a missing sender is lost, not unknown.
            program.check_code(self.transfer.allowed_codes() - ({3} if program.lines("offer") else set()))
            self.next_start = now + self.transfer.faults.dice.uniform(0.1, 1.5)
        elif not self.is_done and now >= self.next_start:
            self.start()

    def start(self):
        transfer, sender = self.transfer, self.transfer.sender
        self.stored.append(self.store.incoming())
        arguments, text = ["receive"], None
        if transfer.plan.way == "link":
            arguments.append("--link")
            text = sender.link()
        elif transfer.plan.way == "address":
            arguments += ["--connect", f"{transfer.soak.network.address('a')}:{sender.port}"]
        else:
            arguments.append(sender.name)
        # The address may be out of date, so many retries are useless.
        if text or transfer.plan.way == "address":
            arguments += ["--retries", "3"]
        if transfer.plan.way == "stranger":
            arguments.append("--yes")
        log = f"{transfer.log}-receive-{self.index + 1}-{len(self.ended) + 1}"
        self.program = Program(transfer.soak, "b", log, [*arguments, "--store", self.store.path], text)


class Transfer:
    """Runs a plan and checks the result."""

    def __init__(self, soak, number, plan, sender, stores, needs, source):
        self.soak, self.number, self.plan, self.sender, self.source = soak, number, plan, sender, source
        self.log = os.path.join(soak.logs, f"{number:04}")
        self.receivers = [Receiver(self, index, store, need) for index, (store, need) in enumerate(zip(stores, needs))]
        self.faults = Faults(self)

    def flows(self):
        return any(receiver.lines("progress") for receiver in self.receivers)

    def allowed_codes(self):
        codes = self.faults.codes()
        if self.plan.way == "stranger" and self.faults.happened:
            # A receiver that breaks off pairing too often must wait for a minute.
            codes = codes | {5}
        return codes

    def run(self):
        before = self.soak.network.bytes_sent()
        began = time.monotonic()
        try:
            while not all(receiver.is_done for receiver in self.receivers):
                now = time.monotonic()
                self.faults.step(now)
                for receiver in self.receivers:
                    receiver.step(now)
                self.check_time(began, now)
                time.sleep(PAUSE)
        finally:
            self.seconds = time.monotonic() - began
            self.faults.calm(time.monotonic())
        for receiver in self.receivers:
            self.check_outcome(receiver)
        self.on_cable = self.soak.network.bytes_sent() - before
        self.check_cable()
        for receiver in self.receivers:
            receiver.store.expected[self.sender.listening["regionID"]] = self.source
            receiver.store.check()
            receiver.store.check_snapshot(self.sender.listening["regionID"])

    def check_time(self, began, now):
        faults = self.faults
        if faults.undo:
            return
        slow = max(faults.calm_since or began, began)
        expect(now - slow < PATIENCE + 8 * self.plan.seconds, "it hangs: " + "; ".join(
            f"{receiver.program or receiver.ended[-1]} {'runs' if receiver.program else 'ended'}"
            for receiver in self.receivers if not receiver.is_done))

    def check_outcome(self, receiver):
        """Compares the reports of both sides with each other and with the store."""
        peer, sender = receiver.store.id, self.sender
        ends = lambda: sender.lines(peer, "sent", "notSent", "unconfirmed")
        invitations = lambda: sender.lines(peer, "invitation")
        # If a receiver has moved, the sender may still have a transfer with it open: there may be several.
        unreported = sender.unreported(peer)
        wait_until(f"{sender.program} reports the end of its transfers with {peer}",
                   lambda: len(ends()) + unreported >= len(invitations()), pause=PAUSE)
        sent, unconfirmed = (len(sender.lines(peer, kind)) for kind in ("sent", "unconfirmed"))
        committed = receiver.store.completed_since(receiver.last_transfer)
        received = len(receiver.lines("received"))
        killed = sum(signal.SIGKILL in program.signals for program in receiver.ended)
        said = f"{sent} sent, {unconfirmed} unconfirmed, {received} received, {committed} noted by {receiver.store.name}"
        expect(received == 1, f"`received` {received} times: {said}")
        expect(sent <= committed <= sent + unconfirmed + unreported, f"the sender is wrong about what was kept: {said}")
        expect(received <= committed <= received + killed, f"the receiver is wrong about what was kept: {said}")
        self.check_bytes(receiver, ends())

    def unread(self, receiver):
        """The bytes that may have waited in the kernel for a paused program, and were lost with its connection."""
        if not receiver.interruptions:
            return 0
        paused = sum(fault.lasts for fault in self.faults.happened if fault.kind == "pause receiver")
        return int(paused * self.plan.rung.megabits * 125_000)

    def check_bytes(self, receiver, ends):
        """Checks that little was transferred twice."""
        last, total = receiver.lines("received")[0], receiver.lines("offer")[-1]["size"]
        expect(last["bytes"] + last["bytesSaved"] == total, f"{last} does not add up to the {total} that were offered")
        need = receiver.need(receiver.lines("offer")[-1])
        receiver.interruptions = max(0, len(ends) - 1)
        receiver.transferred = sum(line["bytes"] for line in ends)
        receiver.twice = None
        if not self.sender.deaths:
            receiver.twice = max(0, receiver.transferred - need)
            expect(receiver.twice <= TWICE * receiver.interruptions + self.unread(receiver),
                   f"{receiver.twice} bytes were transferred twice after {receiver.interruptions} interruptions")
        final = receiver.ended[-1]
        stored = receiver.stored[-1]
        shown = final.lines("progress", "reconnecting")
        breaks = [index for index, line in enumerate(shown) if line["type"] == "reconnecting"]
        if breaks:
            # `receive` reconnected by itself. It must continue from its last progress.
            stored = max([line["bytes"] for line in shown[:breaks[-1]] if line["type"] == "progress"], default=stored)
        elif len(receiver.ended) == 1:
            return
        # The bytes that the store had when the last transfer began are not transferred again.
        expect(last["bytes"] <= min(need, total - stored) + TWICE,
               f"the store had {stored} of {total} bytes, and {last['bytes']} were transferred all the same")
        shown = shown[breaks[-1] + 1:] if breaks else shown
        expect(not shown or shown[0]["bytes"] >= stored - TWICE, f"the store had {stored} bytes, but {shown[:1]} was shown")

    def check_cable(self):
        """Compares the counts of the program with those of the cable, unless faults or losses blur them."""
        if self.faults.happened or self.plan.rung.loss or self.sender.deaths:
            return
        transferred = sum(receiver.transferred for receiver in self.receivers)
        expect(transferred <= self.on_cable <= transferred * 1.12 + MIB,
               f"{transferred} bytes were transferred, but the cable carried {self.on_cable}")

    def stop(self):
        """Ends the receivers after a failure."""
        for receiver in self.receivers:
            if receiver.program:
                receiver.program.end(signal.SIGKILL)

    def figures(self):
        """The figures of the transfer."""
        return {
            "transfer": self.number, "plan": str(self.plan), "rung": str(self.plan.rung), "content": self.plan.content,
            "way": self.plan.way, "size": self.plan.size, "seconds": round(self.seconds, 1),
            "faults": [fault.kind for fault in self.faults.happened], "receivers": len(self.receivers),
            "interruptions": sum(receiver.interruptions for receiver in self.receivers),
            "exitCodes": [program.code for receiver in self.receivers for program in receiver.ended],
            "reconnections": sum(len(receiver.lines("reconnecting")) for receiver in self.receivers),
            "transferred": sum(receiver.transferred for receiver in self.receivers),
            "twice": sum(receiver.twice or 0 for receiver in self.receivers), "onCable": self.on_cable,
        }
