"""Follows events with the Python bindings until it is killed, and prints each as a line of JSON.

    python follow.py messages|events

MEMBER_RC is the path of the zuliprc file of the account.
"""

import json
import os
import sys

import zulip

client = zulip.Client(config_file=os.environ["MEMBER_RC"])


def print_line(*fields):
    print(json.dumps(fields), flush=True)


def on_event(event):
    if event["type"] == "message":
        print_line(event["type"], event["message"]["content"])
    else:
        print_line(event["type"], event["op"], event["message_id"])


if sys.argv[1] == "messages":
    client.call_on_each_message(lambda message: print_line("message", message["content"]))
else:
    client.call_on_each_event(on_event, event_types=["message", "reaction"])
