"""Uses the client that openapi-python-client has generated: registers, sends a message, and reads its event."""

import base64
import os

from generated import AuthenticatedClient
from generated.api.events import get_events, register
from generated.api.messages import send_message
from generated.models import RegisterBody, SendMessageBody, SendMessageBodyType

token = base64.b64encode(f"{os.environ['EMAIL']}:{os.environ['KEY']}".encode()).decode()
client = AuthenticatedClient(base_url=f"{os.environ['SITE']}/api/v1", token=token, prefix="Basic")

everything = register.sync(client=client, body=RegisterBody())
print(everything.realm_users[0].full_name)

queue = register.sync(client=client, body=RegisterBody(event_types=["message"], fetch_event_types=[]))
body = SendMessageBody(type_=SendMessageBodyType.CHANNEL, to="general", topic="generated", content="From Python")
sent = send_message.sync(client=client, body=body)

last = queue.last_event_id
while True:
    answer = get_events.sync(client=client, queue_id=queue.queue_id, last_event_id=last)
    for event in answer.events:
        last = event.id
        if event.type_ == "message" and event.message.id == sent.id:
            print(event.message.content)
            raise SystemExit
