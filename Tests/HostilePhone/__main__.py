"""A device that speaks LocalSend and means harm. Tests run it on a host of its own.

  python3 Tests/HostilePhone STEP [--home DIR] [--to ADDRESS] [--port PORT] [OPTION VALUE]...

Each step prints what came of it, one JSON object a line. See the functions of announcing, offering, dripping and answering.
"""

import argparse
import json
import sys

import announcing
import answering
import dripping
import offering
from device import Device

STEPS = {
    "announce": announcing.announce,
    "copy": announcing.copy,
    "junk": announcing.junk,
    "names": offering.names,
    "sizes": offering.sizes,
    "digests": offering.digests,
    "tokens": offering.tokens,
    "foreign": offering.foreign,
    "bombs": offering.bombs,
    "claims": offering.claims,
    "crowd": dripping.crowd,
    "slow": dripping.slow,
    "promise": dripping.promise,
    "chunked": dripping.chunked,
    "answer": answering.answer,
}


def report(**result):
    print(json.dumps(result), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=STEPS)
    parser.add_argument("--home", required=True, help="the folder of its key")
    parser.add_argument("--to", help="the address of its victim")
    parser.add_argument("--port", type=int, default=53317, help="the port of its victim")
    parser.add_argument("--alias", default="Mallory", help="the name that it claims")
    parser.add_argument("--own-port", type=int, default=53317, help="the port that it claims, and listens on")
    parser.add_argument("--fingerprint", help="the fingerprint that it claims; without, its own")
    parser.add_argument("--count", type=int, default=1, help="how many of what the step is about")
    parser.add_argument("--rate", type=int, default=10_000, help="announcements a second")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--how", default="", help="the variant of the step")
    options = parser.parse_args()
    device = Device(options.home, options.alias, options.own_port, options.to, options.port, options.fingerprint)
    STEPS[options.step](device, options, report)


sys.exit(main())
