"""One transfer: a sender, one or several receivers, and what happens to them until all is where it must be."""
import os, signal, time

from soak.faults import Faults
from soak.programs import PAUSE, Program
from common.processes import expect, wait_until

MIB = 1 << 20
# What may cross twice after an interruption.
TWICE = 4 * MIB
# How long without a fault a transfer may take longer than on an undisturbed link.
PATIENCE = 90


class Receiver:
    """A store that receives: `receive` is run until it succeeds."""

    def __init__(self, transfer, index, store, need):
        self.transfer, self.index, self.store, self.need = transfer, index, store, need
        self.last_transfer = store.last_transfer()
        self.program, self.ended, self.next_start = None, [], 0
        self.here = []

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
            # Who was there is lost, not unknown.
            program.check_code(self.transfer.allowed_codes() - ({3} if program.lines("offer") else set()))
            self.next_start = now + self.transfer.faults.dice.uniform(0.1, 1.5)
        elif not self.is_done and now >= self.next_start:
            self.start()

    def start(self):
        transfer, sending = self.transfer, self.transfer.sending
        # What a hiker is told is here; asked for as late as possible.
        self.here.append(self.store.incoming())
        arguments, text = ["receive"], None
        if transfer.plan.way == "link":
            arguments.append("-")
            text = sending.link()
        elif transfer.plan.way == "address":
            arguments += ["--connect", f"{transfer.soak.network.address('a')}:{sending.port}"]
        else:
            arguments.append(sending.name)
        # An address that no longer holds is not worth waiting for.
        if text or transfer.plan.way == "address":
            arguments += ["--retries", "3"]
        if transfer.plan.way == "stranger":
            arguments.append("--yes")
        log = f"{transfer.log}-receive-{self.index + 1}-{len(self.ended) + 1}"
        self.program = Program(transfer.soak, "b", log, [*arguments, "--store", self.store.path], text)


class Transfer:
    """Runs a plan and checks what came of it."""

    def __init__(self, soak, number, plan, sending, stores, needs, source):
        self.soak, self.number, self.plan, self.sending, self.source = soak, number, plan, sending, source
        self.log = os.path.join(soak.logs, f"{number:04}")
        self.receivers = [Receiver(self, index, store, need) for index, (store, need) in enumerate(zip(stores, needs))]
        self.faults = Faults(self)

    def flows(self):
        return any(receiver.lines("progress") for receiver in self.receivers)

    def allowed_codes(self):
        codes = self.faults.codes()
        if self.plan.way == "stranger" and self.faults.happened:
            # Whoever breaks off pairing too often must wait a minute.
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
            receiver.store.expected[self.sending.listening["regionID"]] = self.source
            receiver.store.check()
            receiver.store.check_snapshot(self.sending.listening["regionID"])

    def check_time(self, began, now):
        faults = self.faults
        if faults.undo:
            return
        slow = max(faults.calm_since or began, began)
        expect(now - slow < PATIENCE + 8 * self.plan.seconds, "it hangs: " + "; ".join(
            f"{receiver.program or receiver.ended[-1]} {'runs' if receiver.program else 'ended'}"
            for receiver in self.receivers if not receiver.is_done))

    def check_outcome(self, receiver):
        """Holds what the two sides said against one another and against what is in the store."""
        peer, sending = receiver.store.id, self.sending
        ends = lambda: sending.lines(peer, "sent", "notSent", "unconfirmed")
        invitations = lambda: sending.lines(peer, "invitation")
        # A receiver that has moved leaves a session behind that the sender still takes for open: there may be several.
        unsaid = sending.unsaid(peer)
        wait_until(f"{sending.program} says how its sessions with {peer} ended",
                   lambda: len(ends()) + unsaid >= len(invitations()), pause=PAUSE)
        sent, unconfirmed = (len(sending.lines(peer, kind)) for kind in ("sent", "unconfirmed"))
        committed = receiver.store.completed_since(receiver.last_transfer)
        received = len(receiver.lines("received"))
        killed = sum(signal.SIGKILL in program.signals for program in receiver.ended)
        said = f"{sent} sent, {unconfirmed} unconfirmed, {received} received, {committed} noted by {receiver.store.name}"
        expect(received == 1, f"`received` {received} times: {said}")
        expect(sent <= committed <= sent + unconfirmed + unsaid, f"the sender is wrong about what was kept: {said}")
        expect(received <= committed <= received + killed, f"the receiver is wrong about what was kept: {said}")
        self.check_bytes(receiver, ends())

    def check_bytes(self, receiver, ends):
        """Checks that little crossed twice."""
        last, total = receiver.lines("received")[0], receiver.lines("offer")[-1]["size"]
        expect(last["bytes"] + last["bytesSaved"] == total, f"{last} does not add up to the {total} that were offered")
        need = receiver.need(receiver.lines("offer")[-1])
        receiver.interruptions = max(0, len(ends) - 1)
        receiver.crossed = sum(line["bytes"] for line in ends)
        receiver.twice = None
        if not self.sending.deaths:
            receiver.twice = max(0, receiver.crossed - need)
            expect(receiver.twice <= TWICE * receiver.interruptions,
                   f"{receiver.twice} bytes crossed twice after {receiver.interruptions} interruptions")
        final = receiver.ended[-1]
        here = receiver.here[-1]
        told = final.lines("progress", "reconnecting")
        breaks = [index for index, line in enumerate(told) if line["type"] == "reconnecting"]
        if breaks:
            # It went on by itself; what it last said to have is what it must go on with.
            here = max([line["bytes"] for line in told[:breaks[-1]] if line["type"] == "progress"], default=here)
        elif len(receiver.ended) == 1:
            return
        # What was here when the last session began did not cross again.
        expect(last["bytes"] <= min(need, total - here) + TWICE,
               f"{here} of {total} were here, and {last['bytes']} crossed all the same")
        shown = told[breaks[-1] + 1:] if breaks else told
        expect(not shown or shown[0]["bytes"] >= here - TWICE, f"{here} were here, and {shown[:1]} was shown")

    def check_cable(self):
        """Holds the counts of the program against those of the cable, where neither faults nor losses blur them."""
        if self.faults.happened or self.plan.rung.loss or self.sending.deaths:
            return
        crossed = sum(receiver.crossed for receiver in self.receivers)
        expect(crossed <= self.on_cable <= crossed * 1.12 + MIB,
               f"{crossed} bytes are said to have crossed; on the cable were {self.on_cable}")

    def stop(self):
        """Ends whatever still runs, after a problem."""
        for receiver in self.receivers:
            if receiver.program:
                receiver.program.end(signal.SIGKILL)

    def figures(self):
        """What is kept of it."""
        return {
            "transfer": self.number, "plan": str(self.plan), "rung": str(self.plan.rung), "content": self.plan.content,
            "way": self.plan.way, "size": self.plan.size, "seconds": round(self.seconds, 1),
            "faults": [fault.kind for fault in self.faults.happened], "receivers": len(self.receivers),
            "interruptions": sum(receiver.interruptions for receiver in self.receivers),
            "exitCodes": [program.code for receiver in self.receivers for program in receiver.ended],
            "reconnections": sum(len(receiver.lines("reconnecting")) for receiver in self.receivers),
            "crossed": sum(receiver.crossed for receiver in self.receivers),
            "twice": sum(receiver.twice or 0 for receiver in self.receivers), "onCable": self.on_cable,
        }
