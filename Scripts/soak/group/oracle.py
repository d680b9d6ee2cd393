"""What the screens of a group may show after a round, and what not."""
import hashlib, os

# A link waits 30 s for its connection. It notices an outage up to 6 s late, and comes back up to 6 s after its end.
SHORT_OUTAGE = 22
# Two absences with less than that between them count as one: the link may not have come back in between.
RETURN = 12
# Seconds before an absence in which a line may still be on its way, and after the screen shows the other one again.
SLACK = 3


def absences(network, sender, receiver):
    """The times in which lines between two people may be lost: they did not reach each other for long, or one was killed."""
    times = [(*outage, False) for outage in network.outages[frozenset((sender.host, receiver.host))]]
    times += [(*absence, True) for chat in (sender, receiver) for absence in chat.absences]
    joined = []
    for begin, end, has_death in sorted(times):
        if joined and begin - joined[-1][1] < RETURN:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end), joined[-1][2] or has_death)
        else:
            joined.append((begin, end, has_death))
    return [(begin, end) for begin, end, has_death in joined if has_death or end - begin > SHORT_OUTAGE]


def check_lines(network, sender, receiver, last):
    """S1 and S2 for the lines of a round; returns problems, and how many lines came and how many were lost with reason."""
    problems = []
    pair = f"{sender.name} to {receiver.name}"
    received = receiver.received.get(sender.name, [])
    for line in received:
        if line <= last.get(pair, (0, 0)):
            problems.append(f"S1: {pair}: {line} came after {last[pair]}")
        last[pair] = max(line, last.get(pair, line))
    came, said = set(received), {line for line, _ in sender.said}
    for line in came - said:
        problems.append(f"S1: {pair}: {line} came again, or was never said")
    missed = {line for name, line in sender.missed if name == receiver.name}
    for line in missed & came:
        problems.append(f"S2: {pair}: {line} came, but the sender was told that it does not")
    lost = [(line, time) for line, time in sender.said if line not in came and line not in missed]
    excuses = [(begin - SLACK, sender.back_at(receiver.name, begin, end) + SLACK)
               for begin, end in absences(network, sender, receiver)]
    for line, time in lost:
        if not any(begin <= time <= end for begin, end in excuses):
            problems.append(f"S1: {pair}: {line}, said at {time - network.began:.3f} s, was lost without a long outage")
    return problems, len(came), len(lost) + len(missed)


def check_files(chats, files):
    """S7: a file is whole or not there, and whoever is told that a file has arrived is told the truth."""
    problems = []
    for chat in chats:
        there = set()
        for name in os.listdir(chat.folder):
            if name not in files:
                continue
            there.add(name)
            with open(os.path.join(chat.folder, name), "rb") as file:
                if hashlib.sha256(file.read()).hexdigest() != files[name]:
                    problems.append(f"S7: {name} at {chat.name} is not whole")
        problems += [f"S7: {chat.name} was told of {name}, which is not there" for name in set(chat.received_files) - there]
    for chat in chats:
        for name, file in chat.sent_files:
            receiver, = (other for other in chats if other.name == name)
            if not os.path.exists(os.path.join(receiver.folder, file)):
                problems.append(f"S7: {chat.name} was told that {name} has {file}, which is not there")
    return problems
