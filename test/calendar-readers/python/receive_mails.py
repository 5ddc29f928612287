"""A mail server, Debian's aiosmtpd: its port on the first line, then each mail as a line of JSON."""

import base64
import json
import socket
import sys

from aiosmtpd.controller import Controller


class Teller:
    async def handle_DATA(self, server, session, envelope):
        for recipient in envelope.rcpt_tos:
            told = {"to": recipient, "content": base64.b64encode(envelope.content).decode()}
            print(json.dumps(told), flush=True)
        return "250 OK"


with socket.socket() as unused:
    unused.bind(("127.0.0.1", 0))
    port = unused.getsockname()[1]
controller = Controller(Teller(), hostname="127.0.0.1", port=port)
controller.start()
print(json.dumps({"port": port}), flush=True)
# Reply to each line after all mails that were received before it.
for _ in sys.stdin:
    print(json.dumps({"done": True}), flush=True)
controller.stop()
