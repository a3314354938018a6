"""Follows a server for ever, as programs do with the Python bindings, and prints what it hears: one JSON per line.

    python follow.py messages|events

The account is named by its zuliprc file in MEMBER_RC.
"""

import json
import os
import sys

import zulip

client = zulip.Client(config_file=os.environ["MEMBER_RC"])


def tell(*words):
    print(json.dumps(words), flush=True)


def on_event(event):
    if event["type"] == "message":
        tell(event["type"], event["message"]["content"])
    else:
        tell(event["type"], event["op"], event["message_id"])


if sys.argv[1] == "messages":
    client.call_on_each_message(lambda message: tell("message", message["content"]))
else:
    client.call_on_each_event(on_event, event_types=["message", "reaction"])
