"""Every public method of the Python bindings, called on a real server by an owner, a member and a bot.

The tests check the content of the answers. OWNER_RC, MEMBER_RC and BOT_RC are the paths of the zuliprc files of the
accounts, which are subscribed to the channel Denmark. The run fails if no test calls some method of the client
(tearDownModule).
"""

import inspect
import io
import os
import struct
import tempfile
import time
import unittest
import urllib.request
import zlib

import zulip

# Methods of the client whose endpoints the server does not have, and why.
NOT_SERVED = {}

called = set()


class RecordingClient:
    """The client. It records the names of its methods that are called."""

    def __init__(self, client):
        self.client = client

    def __getattr__(self, name):
        if callable(getattr(zulip.Client, name, None)):
            called.add(name)
        return getattr(self.client, name)


def client(variable):
    return RecordingClient(zulip.Client(config_file=os.environ[variable], client="EveryMethod"))


def ok(answer):
    """The answer, which must be a success."""
    assert answer["result"] == "success", answer
    return answer


def picture():
    """A square of one color, as a PNG file with a name."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0)
    rows = (b"\0" + b"\x20\x90\x40" * 64) * 64
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    file = io.BytesIO(data)
    file.name = "square.png"
    return file


def setUpModule():
    global owner, member, bot, me, other, channel
    owner, member, bot = client("OWNER_RC"), client("MEMBER_RC"), client("BOT_RC")
    me, other = ok(owner.get_profile()), ok(member.get_profile())
    channel = ok(owner.get_stream_id("Denmark"))["stream_id"]


def tearDownModule():
    public = {name for name, _ in inspect.getmembers(zulip.Client, inspect.isfunction) if not name.startswith("_")}
    forgotten = public - called - set(NOT_SERVED)
    assert not forgotten, f"never called here: {sorted(forgotten)}"
    assert not called & set(NOT_SERVED), "called, though listed as not served"


def say(text="hello", topic="castle", to="Denmark", who=None):
    message = {"type": "stream", "to": to, "topic": topic, "content": text}
    return ok((who or owner).send_message(message))["id"]


def message(id, who=None):
    return ok((who or owner).get_raw_message(id))["message"]


def in_topic(topic, who=None, stream="Denmark"):
    """The ids of the messages that the owner sent to a topic."""
    answer = ok(
        (who or owner).get_messages(
            {
                "anchor": "newest",
                "num_before": 100,
                "num_after": 0,
                "narrow": [
                    {"operator": "stream", "operand": stream},
                    {"operator": "topic", "operand": topic},
                    {"operator": "sender", "operand": me["email"]},
                ],
            }
        )
    )
    return [found["id"] for found in answer["messages"]]


class Messages(unittest.TestCase):
    def test_a_channel_message_is_fetched_as_it_was_sent(self):
        id = say("Something is **rotten** in the state of Denmark.")
        found = message(id, member)
        self.assertEqual(found["content"], "<p>Something is <strong>rotten</strong> in the state of Denmark.</p>")
        self.assertEqual(found["display_recipient"], "Denmark")
        self.assertEqual((found["subject"], found["type"], found["stream_id"]), ("castle", "stream", channel))
        self.assertEqual(
            (found["sender_email"], found["sender_full_name"], found["sender_id"]),
            (me["email"], me["full_name"], me["user_id"]),
        )
        self.assertEqual(found["client"], "EveryMethod")
        raw = ok(member.get_raw_message(id))["raw_content"]
        self.assertEqual(raw, "Something is **rotten** in the state of Denmark.")

    def test_direct_messages_are_sent_by_address_and_by_id(self):
        by_address = ok(owner.send_message({"type": "private", "to": [other["email"]], "content": "one"}))["id"]
        by_id = ok(owner.send_message({"type": "direct", "to": [other["user_id"]], "content": "two"}))["id"]
        plain = ok(owner.send_message({"type": "private", "to": other["email"], "content": "three"}))["id"]
        answer = ok(
            member.get_messages(
                {"anchor": "newest", "num_before": 3, "num_after": 0, "narrow": [["pm-with", me["email"]]]}
            )
        )
        self.assertEqual([found["id"] for found in answer["messages"]], [by_address, by_id, plain])
        for found in answer["messages"]:
            self.assertEqual(found["type"], "private")
            self.assertEqual({p["email"] for p in found["display_recipient"]}, {me["email"], other["email"]})

    def test_a_page_reports_whether_it_is_the_oldest_or_newest(self):
        ids = [say(str(n), "pages") for n in range(5)]
        request = {"narrow": [["stream", "Denmark"], ["topic", "pages"]], "apply_markdown": False}
        answer = ok(owner.get_messages({"anchor": ids[2], "num_before": 1, "num_after": 1, **request}))
        self.assertEqual([found["content"] for found in answer["messages"]], ["1", "2", "3"])
        self.assertEqual((answer["anchor"], answer["found_anchor"]), (ids[2], True))
        self.assertEqual((answer["found_oldest"], answer["found_newest"]), (False, False))
        answer = ok(owner.get_messages({"anchor": "oldest", "num_before": 0, "num_after": 100, **request}))
        self.assertEqual([found["id"] for found in answer["messages"]], ids)
        self.assertTrue(answer["found_newest"])

    def test_messages_are_matched_against_a_narrow(self):
        plain, link = say("no link"), say("https://example.com")
        answer = ok(
            owner.check_messages_match_narrow(
                msg_ids=[plain, link], narrow=[{"operator": "has", "operand": "link"}]
            )
        )
        self.assertEqual(list(answer["messages"]), [str(link)])
        self.assertIn("match_content", answer["messages"][str(link)])

    def test_an_edit_changes_the_message_and_its_history(self):
        id = say("old text", "old topic")
        ok(owner.update_message({"message_id": id, "content": "new text"}))
        ok(owner.update_message({"message_id": id, "subject": "new topic", "propagate_mode": "change_one"}))
        self.assertEqual((message(id)["content"], message(id)["subject"]), ("<p>new text</p>", "new topic"))
        history = ok(member.get_message_history(id))["message_history"]
        self.assertEqual([step["content"] for step in history], ["old text", "new text", "new text"])
        self.assertEqual([step["topic"] for step in history], ["old topic", "old topic", "new topic"])
        self.assertEqual(history[1]["prev_content"], "old text")

    def test_a_deleted_message_cannot_be_fetched(self):
        id = say("regret")
        ok(owner.delete_message(id))
        answer = owner.get_raw_message(id)
        self.assertEqual(answer["result"], "error")
        self.assertEqual(answer["msg"], "There is no such message, or you may not read it.")

    def test_text_is_rendered_without_being_sent(self):
        answer = ok(owner.render_message({"content": "foo **bar**"}))
        self.assertEqual(answer["rendered"], "<p>foo <strong>bar</strong></p>")

    def test_flags_are_added_and_removed(self):
        first, second = say("1", "flags"), say("2", "flags")
        flags = lambda id: set(message(id, member)["flags"])
        self.assertEqual(flags(first), set())
        answer = ok(member.update_message_flags({"messages": [first, second], "op": "add", "flag": "starred"}))
        self.assertEqual(answer["messages"], [first, second])
        ok(member.update_message_flags({"messages": [first], "op": "add", "flag": "read"}))
        self.assertEqual((flags(first), flags(second)), ({"starred", "read"}, {"starred"}))
        ok(member.update_message_flags({"messages": [first], "op": "remove", "flag": "starred"}))
        self.assertEqual(flags(first), {"read"})

    def test_a_topic_a_channel_and_everything_are_marked_as_read(self):
        unread = lambda *ids: [id for id in ids if "read" not in message(id, member)["flags"]]
        one, two = say("1", "read one"), say("2", "read two")
        ok(owner.add_subscriptions([{"name": "reading"}], principals=[me["user_id"], other["user_id"]]))
        three = say("3", "x", "reading")
        self.assertEqual(unread(one, two, three), [one, two, three])
        ok(member.mark_topic_as_read(channel, "read one"))
        self.assertEqual(unread(one, two, three), [two, three])
        ok(member.mark_stream_as_read(channel))
        self.assertEqual(unread(one, two, three), [three])
        ok(member.mark_all_as_read())
        self.assertEqual(unread(one, two, three), [])

    def test_reactions_are_added_and_removed(self):
        id = say("react")
        joy = {"message_id": id, "emoji_name": "joy", "emoji_code": "1f602", "reaction_type": "unicode_emoji"}
        ok(member.add_reaction(joy))
        # Bots send the name without the code.
        ok(owner.add_reaction({"message_id": id, "emoji_name": "wave", "reaction_type": "unicode_emoji"}))
        # The extra emoji of the service, with the older name of its reaction type. This program has a name of its own,
        # so it reads the newer one.
        ok(owner.add_reaction({"message_id": id, "emoji_name": "zulip", "reaction_type": "zulip_extra_emoji"}))
        seen = [(r["emoji_name"], r["emoji_code"], r["reaction_type"], r["user_id"]) for r in message(id)["reactions"]]
        self.assertEqual(
            seen,
            [
                ("joy", "1f602", "unicode_emoji", other["user_id"]),
                ("wave", "1f44b", "unicode_emoji", me["user_id"]),
                ("zulip", "zulip", "service_extra_emoji", me["user_id"]),
            ],
        )
        ok(member.remove_reaction(joy))
        ok(owner.remove_reaction({"message_id": id, "emoji_name": "wave"}))
        self.assertEqual([r["emoji_name"] for r in message(id)["reactions"]], ["zulip"])

    def test_a_file_is_uploaded_sent_and_downloaded(self):
        file = io.BytesIO(b"to be, or not to be")
        file.name = "/tmp/of the prince/soliloquy.txt"
        answer = ok(owner.upload_file(file))
        self.assertEqual(answer["uri"], answer["url"])
        id = say(f"[soliloquy]({answer['uri']})")
        [attachment] = [a for a in ok(owner.get_attachments())["attachments"] if answer["uri"].endswith(a["path_id"])]
        self.assertEqual(attachment["size"], 19)
        self.assertEqual([m["id"] for m in attachment["messages"]], [id])
        address = ok(member.call_endpoint(answer["uri"].lstrip("/"), method="GET"))["url"]
        site = member.base_url.removesuffix("/api/")
        with urllib.request.urlopen(site + address) as download:
            self.assertEqual(download.read(), b"to be, or not to be")

    def test_a_topic_moves_to_another_channel(self):
        ok(owner.add_subscriptions([{"name": "Verona"}]))
        verona = ok(owner.get_stream_id("Verona"))["stream_id"]
        ids = [say(str(n), "moving") for n in range(3)]
        ok(owner.move_topic("Denmark", "Verona", "moving"))
        self.assertEqual([message(id)["stream_id"] for id in ids], [verona] * 3)
        self.assertEqual(message(ids[0])["subject"], "moving")
        ok(owner.move_topic("Verona", "Denmark", "moving", "moved back", ids[1], "change_later"))
        self.assertEqual([message(id)["stream_id"] for id in ids], [verona, channel, channel])
        self.assertEqual(in_topic("moved back"), ids[1:])
        missing = owner.move_topic("Denmark", "Verona", "no such topic")
        self.assertEqual(missing["result"], "error")


class Events(unittest.TestCase):
    def test_a_queue_is_registered_read_and_deleted(self):
        # Notices of earlier tests arrive when the worker has written them.
        queue = ok(member.register(["message"], [["stream", "Denmark"], ["topic", "queues"]]))
        self.assertIsInstance(queue["last_event_id"], int)
        id = say("for the queue", "queues")
        answer = ok(member.get_events(queue_id=queue["queue_id"], last_event_id=queue["last_event_id"]))
        [event] = answer["events"]
        self.assertEqual((event["type"], event["message"]["id"], event["flags"]), ("message", id, []))
        again = ok(
            member.get_events(queue_id=queue["queue_id"], last_event_id=event["id"], dont_block=True)
        )
        self.assertEqual(again["events"], [])
        ok(member.deregister(queue["queue_id"], timeout=2.0))
        gone = member.get_events(queue_id=queue["queue_id"], last_event_id=event["id"])
        self.assertEqual((gone["result"], gone["code"]), ("error", "BAD_EVENT_QUEUE_ID"))
        self.assertEqual(gone["queue_id"], queue["queue_id"])

    def test_a_registration_returns_the_requested_fields(self):
        queue = ok(member.register(["message", "subscription"], fetch_event_types=["subscription", "realm_user"]))
        self.assertIn("Denmark", [s["name"] for s in queue["subscriptions"]])
        self.assertIn(me["email"], [u["email"] for u in queue["realm_users"]])
        self.assertNotIn("unread_msgs", queue)

    def test_callbacks_receive_the_events_that_match_the_narrow(self):
        class LastMessage(Exception):
            pass

        received = []

        def on_event(event):
            received.append(event["message"]["content"] if event["type"] == "message" else event["type"])
            if received[-1] == "last":
                raise LastMessage

        narrow = [["stream", "Denmark"], ["topic", "matching"]]
        with self.sending_repeatedly([("not this", "other"), ("this", "matching"), ("last", "matching")]):
            with self.assertRaises(LastMessage):
                member.call_on_each_event(on_event, ["message"], narrow)
        self.assertEqual(received[-2:], ["this", "last"])
        self.assertNotIn("not this", received)

        def on_message(message):
            received.append(message["content"])
            if message["content"] == "over":
                raise LastMessage

        with self.sending_repeatedly([("nearly", "any"), ("over", "any")]):
            with self.assertRaises(LastMessage):
                member.call_on_each_message(on_message)
        self.assertEqual(received[-2:], ["nearly", "over"])

    def sending_repeatedly(self, messages):
        """Sends the messages repeatedly during the test, because the bindings do not report when a callback listens."""
        import contextlib
        import threading

        @contextlib.contextmanager
        def send_during_block():
            stopped = threading.Event()

            def send_until_stopped():
                while not stopped.wait(0.3):
                    for text, topic in messages:
                        say(text, topic)

            thread = threading.Thread(target=send_until_stopped)
            thread.start()
            try:
                yield
            finally:
                stopped.set()
                thread.join()

        return send_during_block()

    def test_a_recipient_receives_typing_notifications(self):
        takes = {"notification_settings_null": True, "stream_typing_notifications": True}
        queue = ok(member.register(["typing"], client_capabilities=takes))
        cursor = {"queue_id": queue["queue_id"], "last_event_id": queue["last_event_id"]}
        ok(owner.set_typing_status({"op": "start", "to": [other["user_id"]]}))
        [event] = ok(member.get_events(**cursor))["events"]
        self.assertEqual((event["type"], event["op"], event["message_type"]), ("typing", "start", "direct"))
        self.assertEqual(event["sender"], {"user_id": me["user_id"], "email": me["email"]})
        cursor["last_event_id"] = event["id"]
        ok(owner.set_typing_status({"op": "stop", "type": "stream", "stream_id": channel, "topic": "castle"}))
        [event] = ok(member.get_events(**cursor))["events"]
        self.assertEqual((event["op"], event["stream_id"], event["topic"]), ("stop", channel, "castle"))


class Channels(unittest.TestCase):
    def test_channels_are_listed(self):
        streams = {s["name"]: s for s in ok(owner.get_streams(include_public=True, include_subscribed=False))["streams"]}
        self.assertEqual(streams["Denmark"]["stream_id"], channel)
        self.assertEqual(streams["Denmark"]["description"], "A country")
        missing = owner.get_stream_id("Atlantis")
        self.assertEqual((missing["result"], missing["code"]), ("error", "BAD_REQUEST"))

    def test_a_channel_is_changed_and_archived(self):
        ok(owner.add_subscriptions([{"name": "short lived"}]))
        id = ok(owner.get_stream_id("short lived"))["stream_id"]
        ok(owner.update_stream({"stream_id": id, "description": "For a while", "new_name": "shorter", "is_private": True}))
        [found] = [s for s in ok(owner.get_streams())["streams"] if s["stream_id"] == id]
        self.assertEqual((found["name"], found["description"], found["invite_only"]), ("shorter", "For a while", True))
        ok(owner.delete_stream(id))
        self.assertNotIn(id, [s["stream_id"] for s in ok(owner.get_streams())["streams"]])

    def test_new_users_are_subscribed_to_default_channels(self):
        ok(owner.add_subscriptions([{"name": "for all"}]))
        id = ok(owner.get_stream_id("for all"))["stream_id"]
        ok(owner.add_default_stream(id))
        [found] = [s for s in ok(owner.get_streams(include_default=True))["streams"] if s["stream_id"] == id]
        self.assertTrue(found["is_default"])
        person = {"email": "newcomer@example.com", "password": "a bridge too far 77", "full_name": "New Comer"}
        user_id = ok(owner.create_user(person))["user_id"]
        self.assertTrue(ok(owner.get_subscription_status(user_id, id))["is_subscribed"])
        self.assertFalse(ok(owner.get_subscription_status(user_id, channel))["is_subscribed"])

    def test_users_are_subscribed_and_unsubscribed(self):
        answer = ok(member.add_subscriptions([{"name": "Rome"}, {"name": "Denmark"}]))
        mine = str(other["user_id"])
        self.assertEqual((answer["subscribed"], answer["already_subscribed"]), ({mine: ["Rome"]}, {mine: ["Denmark"]}))
        names = lambda answer: [s["name"] for s in ok(answer)["subscriptions"]]
        self.assertIn("Rome", names(member.get_subscriptions()))
        self.assertIn("Rome", names(member.list_subscriptions()))
        full = ok(member.get_subscriptions({"include_subscribers": True}))["subscriptions"]
        [rome] = [s for s in full if s["name"] == "Rome"]
        self.assertEqual(rome["subscribers"], [other["user_id"]])
        self.assertEqual(ok(member.get_subscribers(stream="Rome"))["subscribers"], [other["user_id"]])

        answer = ok(member.remove_subscriptions(["Rome"]))
        self.assertEqual((answer["removed"], answer["not_removed"]), (["Rome"], []))
        answer = ok(owner.add_subscriptions([{"name": "Rome"}], principals=[other["email"]]))
        self.assertEqual(answer["subscribed"], {mine: ["Rome"]})
        answer = ok(owner.remove_subscriptions(["Rome"], [other["user_id"]]))
        self.assertEqual(answer["removed"], ["Rome"])
        self.assertNotIn("Rome", names(member.get_subscriptions()))
        unknown = member.remove_subscriptions(["Atlantis"])
        self.assertEqual(unknown["result"], "error")

    def test_a_subscription_has_settings(self):
        settings = [
            {"stream_id": channel, "property": "pin_to_top", "value": True},
            {"stream_id": channel, "property": "color", "value": "#f00f00"},
            {"stream_id": channel, "property": "in_home_view", "value": False},
        ]
        ok(member.update_subscription_settings(settings))
        [found] = [s for s in ok(member.get_subscriptions())["subscriptions"] if s["stream_id"] == channel]
        self.assertEqual((found["pin_to_top"], found["color"]), (True, "#f00f00"))
        self.assertEqual((found["is_muted"], found["in_home_view"]), (True, False))
        ok(member.update_subscription_settings([{"stream_id": channel, "property": "is_muted", "value": False}]))

    def test_a_topic_is_muted(self):
        say("dinner?", "dinner")
        ok(member.mute_topic({"op": "add", "stream": "Denmark", "topic": "dinner"}))
        muted = ok(member.register(["user_topic"], fetch_event_types=["user_topic"]))["user_topics"]
        seen = [(t["stream_id"], t["topic_name"], t["visibility_policy"]) for t in muted]
        self.assertEqual(seen, [(channel, "dinner", 1)])
        ok(member.mute_topic({"op": "remove", "stream_id": channel, "topic": "dinner"}))
        self.assertEqual(ok(member.register(fetch_event_types=["user_topic"]))["user_topics"], [])

    def test_topics_are_listed_newest_first(self):
        first, second = say("1", "older topic"), say("2", "newer topic")
        topics = ok(member.get_stream_topics(channel))["topics"]
        self.assertEqual(topics[:2], [{"name": "newer topic", "max_id": second}, {"name": "older topic", "max_id": first}])

    def test_a_channel_has_an_address(self):
        email = ok(owner.get_stream_email_address(channel))["email"]
        # This server receives no mail: the address is empty, as on other servers without incoming mail.
        self.assertEqual(email, "")


class People(unittest.TestCase):
    def test_people_are_listed_and_found(self):
        for listed in (owner.get_users(), owner.get_members()):
            members = {u["user_id"]: u for u in ok(listed)["members"]}
            self.assertEqual(members[other["user_id"]]["email"], other["email"])
            self.assertEqual(members[me["user_id"]]["is_owner"], True)
        found = ok(owner.get_user_by_id(other["user_id"], include_custom_profile_fields=True))["user"]
        self.assertEqual((found["full_name"], found["profile_data"]), (other["full_name"], {}))
        self.assertEqual(ok(owner.get_profile({"client_gravatar": False}))["user_id"], me["user_id"])

    def test_an_account_is_created_changed_deactivated_and_reactivated(self):
        person = {"email": "iago@example.com", "password": "honest, honest 1604", "full_name": "Iago"}
        id = ok(owner.create_user(person))["user_id"]
        ok(owner.update_user_by_id(id, full_name="Honest Iago", role=600))
        found = ok(owner.get_user_by_id(id))["user"]
        self.assertEqual((found["full_name"], found["role"], found["is_guest"]), ("Honest Iago", 600, True))
        ok(owner.deactivate_user_by_id(id))
        self.assertFalse(ok(owner.get_user_by_id(id))["user"]["is_active"])
        ok(owner.reactivate_user_by_id(id))
        self.assertTrue(ok(owner.get_user_by_id(id))["user"]["is_active"])
        refused = member.create_user({**person, "email": "other@example.com"})
        self.assertEqual(refused["result"], "error")

    def test_presence_is_updated_and_fetched(self):
        told = ok(member.update_presence({"status": "active", "ping_only": False, "new_user_input": True}))
        now = time.time()
        self.assertAlmostEqual(told["server_timestamp"], now, delta=30)
        self.assertEqual(told["presences"][other["email"]]["aggregated"]["status"], "active")
        seen = ok(owner.get_user_presence(other["email"]))["presence"]
        self.assertEqual(seen["aggregated"]["status"], "active")
        self.assertAlmostEqual(seen["aggregated"]["timestamp"], now, delta=30)
        everyone = ok(owner.get_realm_presence())["presences"]
        self.assertEqual(everyone[other["email"]]["aggregated"]["status"], "active")

    def test_alert_words_are_stored(self):
        self.assertEqual(set(ok(member.add_alert_words(["foo", "bar"]))["alert_words"]), {"foo", "bar"})
        self.assertEqual(ok(member.remove_alert_words(["foo"]))["alert_words"], ["bar"])
        self.assertEqual(ok(member.get_alert_words())["alert_words"], ["bar"])
        id = say("raise the bar")
        self.assertIn("has_alert_word", message(id, member)["flags"])

    def test_notification_settings_are_stored(self):
        wanted = {"enable_stream_push_notifications": True, "enable_offline_push_notifications": False}
        ok(member.update_notification_settings(wanted))
        kept = ok(member.register(fetch_event_types=["user_settings"]))["user_settings"]
        self.assertEqual({name: kept[name] for name in wanted}, wanted)


class Organization(unittest.TestCase):
    def test_an_emoji_is_added_and_removed(self):
        ok(owner.upload_custom_emoji("green_square", picture()))
        [emoji] = [e for e in ok(owner.get_realm_emoji())["emoji"].values() if e["name"] == "green_square"]
        self.assertFalse(emoji["deactivated"])
        id = say(":green_square:")
        self.assertIn(emoji["source_url"], message(id)["content"])
        ok(member.add_reaction({"message_id": id, "emoji_name": "green_square"}))
        self.assertEqual(message(id)["reactions"][0]["reaction_type"], "realm_emoji")
        ok(owner.delete_custom_emoji("green_square"))
        left = ok(owner.get_realm_emoji())["emoji"].values()
        self.assertNotIn("green_square", [e["name"] for e in left if not e["deactivated"]])

    def test_a_linkifier_is_added_and_removed(self):
        id = ok(owner.add_realm_filter("#(?P<id>[0-9]+)", "https://example.com/issues/{id}"))["id"]
        [linkifier] = ok(owner.get_realm_linkifiers())["linkifiers"]
        self.assertEqual((linkifier["id"], linkifier["pattern"]), (id, "#(?P<id>[0-9]+)"))
        self.assertEqual(linkifier["url_template"], "https://example.com/issues/{id}")
        rendered = ok(owner.render_message({"content": "see #42"}))["rendered"]
        self.assertIn('<a href="https://example.com/issues/42">#42</a>', rendered)
        ok(owner.remove_realm_filter(id))
        self.assertEqual(ok(owner.get_realm_linkifiers())["linkifiers"], [])

    def test_profile_fields_have_the_order_that_was_set(self):
        phone = ok(owner.create_realm_profile_field(name="Phone", hint="Contact No.", field_type=1))["id"]
        food = ok(owner.create_realm_profile_field(name="Food", field_type=2))["id"]
        fields = lambda: [(f["id"], f["name"]) for f in ok(member.get_realm_profile_fields())["custom_fields"]]
        self.assertEqual(fields(), [(phone, "Phone"), (food, "Food")])
        ok(owner.reorder_realm_profile_fields(order=[food, phone]))
        ok(owner.update_realm_profile_field(phone, name="Telephone", hint=""))
        self.assertEqual(fields(), [(food, "Food"), (phone, "Telephone")])
        ok(owner.remove_realm_profile_field(food))
        self.assertEqual(fields(), [(phone, "Telephone")])

    def test_a_group_is_created_changed_and_removed(self):
        group = {"name": "marketing", "description": "Those who sell", "members": [me["user_id"]]}
        ok(owner.create_user_group(group))
        groups = lambda: {g["name"]: g for g in ok(owner.get_user_groups())["user_groups"]}
        id = groups()["marketing"]["id"]
        self.assertEqual(groups()["marketing"]["members"], [me["user_id"]])
        ok(owner.update_user_group({"group_id": id, "name": "sales", "description": "Those who sold"}))
        self.assertEqual(groups()["sales"]["description"], "Those who sold")
        ok(owner.update_user_group_members(id, {"add": [other["user_id"]], "delete": [me["user_id"]]}))
        self.assertEqual(groups()["sales"]["members"], [other["user_id"]])
        ok(owner.remove_user_group(id))
        self.assertNotIn("sales", groups())

    def test_the_server_settings_are_fetched(self):
        settings = ok(owner.get_server_settings())
        self.assertEqual(settings["zulip_version"], owner.zulip_version)
        self.assertEqual(settings["zulip_feature_level"], owner.feature_level)
        self.assertGreaterEqual(owner.feature_level, 277)


class TheClientItself(unittest.TestCase):
    def test_a_stream_message_is_a_channel_message(self):
        stream = zulip.ZulipStream("stream", "Denmark", "written", config_file=os.environ["OWNER_RC"])
        stream.write("a line")
        stream.flush()
        self.assertEqual(len(in_topic("written")), 1)

    def test_the_client_sends_its_name(self):
        owner.ensure_session()
        self.assertTrue(owner.get_user_agent().startswith("EveryMethod ("))

    def test_any_endpoint_can_be_called_by_its_path(self):
        self.assertEqual(ok(owner.call_endpoint("users/me", method="GET"))["user_id"], me["user_id"])
        self.assertEqual(ok(owner.do_api_query({}, "v1/users/me", method="GET"))["user_id"], me["user_id"])

    def test_a_refusal_is_returned_and_not_raised(self):
        stranger = zulip.Client(
            email=me["email"], api_key="x" * 32, site=owner.base_url.removesuffix("/api/"), retry_on_errors=False
        )
        answer = stranger.get_profile()
        self.assertEqual((answer["result"], answer["code"]), ("error", "UNAUTHORIZED"))
        nowhere = owner.send_message({"type": "stream", "to": "Atlantis", "topic": "x", "content": "x"})
        self.assertEqual((nowhere["code"], nowhere["stream"]), ("STREAM_DOES_NOT_EXIST", "Atlantis"))

    def test_the_site_of_a_zuliprc_may_end_in_a_slash_or_in_api(self):
        site = owner.base_url.removesuffix("/api/")
        for given in (site + "/", site + "/api", site + "/api/"):
            again = zulip.Client(email=owner.email, api_key=owner.api_key, site=given)
            self.assertEqual(ok(again.get_profile())["user_id"], me["user_id"])


class Storage(unittest.TestCase):
    def test_a_bot_stores_values(self):
        ok(bot.update_storage({"storage": {"entry 1": "value 1", "entry 2": "value 2", "entry 3": "value 3"}}))
        some = ok(bot.get_storage({"keys": ["entry 1", "entry 3"]}))["storage"]
        self.assertEqual(some, {"entry 1": "value 1", "entry 3": "value 3"})
        ok(bot.update_storage({"storage": {"entry 1": "other"}}))
        self.assertEqual(
            ok(bot.get_storage())["storage"], {"entry 1": "other", "entry 2": "value 2", "entry 3": "value 3"}
        )


if __name__ == "__main__":
    unittest.main(verbosity=2)
