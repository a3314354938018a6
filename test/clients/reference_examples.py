"""The calls that the public reference of the protocol shows in Python, in the form in which it shows them.

Most of them go through `call_endpoint` with a dictionary, which the bindings encode: numbers and texts as they are, lists,
dictionaries and booleans as JSON. every_method.py calls the methods that the bindings have for some of them.

OWNER_RC and MEMBER_RC are the paths of the zuliprc files of two accounts in the channel Denmark.
"""

import io
import json
import os
import time
import unittest

import zulip

owner = zulip.Client(config_file=os.environ["OWNER_RC"])
member = zulip.Client(config_file=os.environ["MEMBER_RC"])
MEMBER = member.get_profile()["user_id"]
MEMBER_ADDRESS = member.email


def call(url, method="GET", request=None, client=owner, **more):
    """The answer of a call in the form of the reference. It must be a success that knows every parameter."""
    answer = client.call_endpoint(url=url, method=method, request=request, **more)
    assert answer["result"] == "success", (method, url, answer)
    assert "ignored_parameters_unsupported" not in answer, (method, url, answer)
    return answer


def ok(answer):
    assert answer["result"] == "success", answer
    return answer


def refused(answer, code="BAD_REQUEST"):
    assert (answer["result"], answer["code"]) == ("error", code), answer
    return answer


def picture(name):
    """A picture of one dot, as a GIF file."""
    file = io.BytesIO(bytes.fromhex("47494638396101000100800000ff0000ffffff2c00000000010001000002024401003b"))
    file.name = name
    return file


def channel_id(name="Denmark"):
    return ok(owner.get_stream_id(name))["stream_id"]


def post(content="I come not, friends, to steal away your hearts.", client=owner, topic="Castle"):
    message = {"type": "stream", "to": "Denmark", "topic": topic, "content": content}
    return ok(client.send_message(message))["id"]


class Messages(unittest.TestCase):
    def test_messages_are_rendered_sent_edited_and_deleted(self):
        self.assertIn("<strong>foo</strong>", ok(owner.render_message({"content": "**foo**"}))["rendered"])
        message = post()
        self.assertTrue(call(f"/messages/{message}")["message"]["content"])
        for op in ("start", "stop"):
            call(f"/messages/{message}/typing", "POST", {"op": op})
        for change in (owner.add_reaction, owner.remove_reaction):
            ok(change({"message_id": message, "emoji_name": "octopus"}))
        ok(owner.update_message({"message_id": message, "content": "New content"}))
        self.assertEqual(call("messages/" + str(message))["raw_content"], "New content")
        ok(owner.get_message_history(message))
        call(f"/messages/{message}/read_receipts")
        refused(member.update_message({"message_id": message, "content": "Not mine"}))
        refused(member.delete_message(message))
        ok(owner.delete_message(message))

    def test_direct_messages_go_to_ids_and_addresses(self):
        for to in ([MEMBER], [MEMBER_ADDRESS], MEMBER_ADDRESS):
            ok(owner.send_message({"type": "private", "to": to, "content": "With mirth and laughter"}))
        answer = refused(owner.send_message({"type": "private", "to": "nobody@example.com", "content": "x"}))
        self.assertEqual(answer["msg"], "Invalid email 'nobody@example.com'")

    def test_messages_are_found(self):
        found = post("see http://foo.example")
        narrow = [{"operator": "sender", "operand": owner.email}, {"operator": "channel", "operand": "Denmark"}]
        page = {"anchor": "newest", "num_before": 100, "num_after": 0, "narrow": narrow}
        self.assertIn(found, [message["id"] for message in ok(owner.get_messages(page))["messages"]])
        request = {"msg_ids": [found, post("no link")], "narrow": [{"operator": "has", "operand": "link"}]}
        self.assertEqual(list(call("messages/matches_narrow", request=request)["messages"]), [str(found)])

    def test_messages_are_read_and_flagged(self):
        messages = [post(client=member) for _ in range(3)]
        for op, flag in (("add", "read"), ("add", "starred"), ("remove", "starred")):
            ok(owner.update_message_flags({"messages": messages, "op": op, "flag": flag}))
        ok(owner.mark_stream_as_read(channel_id()))
        ok(owner.mark_topic_as_read(channel_id(), "Castle"))
        ok(owner.mark_all_as_read())
        ok(owner.add_subscriptions(streams=[{"name": "core team"}], invite_only=True))
        call("/realm", "PATCH", {"moderation_request_channel_id": channel_id("core team")})
        report = {"report_type": "harassment", "description": "Rude words."}
        call(f"/messages/{messages[0]}/report", "POST", report)

    def test_errors_have_their_codes(self):
        unknown = {"type": "stream", "to": "Atlantis", "topic": "Castle", "content": "x"}
        refused(owner.send_message(unknown), "STREAM_DOES_NOT_EXIST")
        refused(owner.render_message({}), "REQUEST_VARIABLE_MISSING")
        refused(owner.get_stream_id("Atlantis"))
        self.assertEqual(refused(owner.update_message({"message_id": post()}))["msg"], "Nothing to change")
        self.assertEqual(refused(owner.call_endpoint("user_uploads", "POST"))["msg"], "You must specify a file to upload")


class Users(unittest.TestCase):
    def test_users_are_created_changed_deactivated_and_reactivated(self):
        request = {"email": "newbie@example.com", "password": "a long password of words", "full_name": "New User"}
        user = ok(owner.create_user(request))["user_id"]
        refused(owner.create_user(request))
        for options in ({}, {"client_gravatar": False}, {"include_custom_profile_fields": True}):
            self.assertIn(user, [one["user_id"] for one in ok(owner.get_members(options))["members"]])
        ok(owner.get_user_by_id(user))
        ok(owner.get_user_by_id(user, include_custom_profile_fields=True))
        ok(owner.deactivate_user_by_id(user))
        ok(owner.reactivate_user_by_id(user))
        ok(owner.update_user_by_id(user, full_name="New Name"))
        field = call("/realm/profile_fields", "POST", {"name": "Phone", "hint": "Contact no.", "field_type": 1})["id"]
        ok(owner.update_user_by_id(user, profile_data=[{"id": field, "value": "some data"}]))
        order = [one["id"] for one in call("/realm/profile_fields")["custom_fields"]][::-1]
        call("/realm/profile_fields", "PATCH", {"order": json.dumps(order)})
        call(f"/users/{MEMBER_ADDRESS}")
        call(f"/users/{user}/subscriptions/{channel_id()}")

    def test_a_user_who_left_comes_back_with_the_same_key(self):
        call("/users/me", "DELETE", client=member)
        refused(member.get_profile(), "UNAUTHORIZED")
        ok(owner.reactivate_user_by_id(MEMBER))
        ok(member.get_profile())

    def test_statuses_settings_and_presence(self):
        status = {"status_text": "on vacation", "away": False, "emoji_name": "car", "emoji_code": "1f697"}
        call("/users/me/status", "POST", {**status, "reaction_type": "unicode_emoji"})
        call(f"/users/{owner.get_profile()['user_id']}/status")
        refused(owner.call_endpoint("/users/me/status", "POST", {"status_text": "x" * 61, "away": "false"}))
        # The answer names the settings without an effect here: this server sends no push notifications.
        without_effect = {"enable_offline_push_notifications": True, "enable_online_push_notifications": True}
        answer = owner.call_endpoint("/settings", "PATCH", {**without_effect, "emojiset": "google"})
        ok(answer)
        assert answer["ignored_parameters_unsupported"] == sorted(without_effect), answer
        presence = {"status": "active", "ping_only": False, "new_user_input": False, "last_update_id": -1}
        ok(owner.update_presence(presence))
        ok(owner.get_user_presence(owner.email))
        ok(owner.get_realm_presence())

    def test_typing_is_told(self):
        for op in ("start", "stop"):
            ok(owner.set_typing_status({"op": op, "to": [MEMBER, owner.get_profile()["user_id"]]}))
            place = {"type": "stream", "stream_id": channel_id(), "topic": "typing status"}
            ok(owner.set_typing_status({**place, "op": op}))

    def test_groups_are_created_and_changed(self):
        request = {"name": "leadership", "description": "The leadership team.", "members": [MEMBER]}
        ok(owner.create_user_group(request))
        [group] = [one["id"] for one in ok(owner.get_user_groups())["user_groups"] if one["name"] == "leadership"]
        ok(owner.update_user_group({"group_id": group, "name": "leadership", "description": "The leadership team."}))
        ok(owner.update_user_group_members(group, {"delete": [MEMBER], "add": [owner.get_profile()["user_id"]]}))

    def test_personal_lists(self):
        ok(owner.add_alert_words(["foo", "bar"]))
        ok(owner.remove_alert_words(ok(owner.get_alert_words())["alert_words"]))
        for method in ("POST", "DELETE"):
            call(f"/users/me/muted_users/{MEMBER}", method)
        view = {"fragment": "narrow/is/alerted", "is_pinned": True, "name": "Alert Word"}
        call("navigation_views", "POST", view)
        [fragment] = [one["fragment"] for one in call("navigation_views")["navigation_views"]]
        call(f"navigation_views/{fragment}", "PATCH", {"is_pinned": True})
        call(f"navigation_views/{fragment}", "DELETE")
        call("/saved_snippets", "POST", {"title": "Welcome message", "content": "**Welcome** to the organization."})
        snippet = call("/saved_snippets")["saved_snippets"][0]["id"]
        call(f"/saved_snippets/{snippet}", "PATCH", {"title": "New welcome message", "content": "Welcome!"})
        call(f"/saved_snippets/{snippet}", "DELETE")

    def test_devices_for_push_notifications(self):
        for path, request in (
            ("/users/me/apns_device_token", {"token": "c0ffee", "appid": "org.example.App"}),
            ("/users/me/android_gcm_reg_id", {"token": "android-token"}),
        ):
            call(path, "POST", request)
            call(path, "DELETE", {"token": request["token"]})


class Channels(unittest.TestCase):
    def test_channels_are_created_joined_left_and_archived(self):
        streams = [{"name": "python-test", "description": "Channel for testing Python"}]
        ok(owner.add_subscriptions(streams=streams))
        answer = ok(owner.add_subscriptions(streams=[{"name": "python-test"}], principals=[MEMBER]))
        self.assertIn(str(MEMBER), answer["subscribed"])
        ok(owner.add_subscriptions(streams=[{"name": "python-test"}], principals=[MEMBER_ADDRESS]))
        music = {"name": "music_group", "description": "About music.", "subscribers": []}
        call("channels/create", "POST", music)
        shown = [one for one in ok(owner.get_streams())["streams"] if one["name"] == "python-test"]
        self.assertEqual(shown[0]["description"], "Channel for testing Python")
        ok(owner.get_streams(include_public=False))
        members = ok(owner.get_subscribers(stream="python-test"))["subscribers"]
        self.assertEqual(members, sorted([owner.get_profile()["user_id"], MEMBER]))
        ok(owner.update_stream({"stream_id": channel_id("python-test"), "is_private": True}))
        ok(owner.remove_subscriptions(["python-test"], principals=[MEMBER_ADDRESS]))
        ok(owner.remove_subscriptions(["python-test"]))
        ok(owner.add_subscriptions(streams=[{"name": "to archive"}]))
        ok(owner.delete_stream(channel_id("to archive")))

    def test_refusals_can_be_listed(self):
        ok(owner.add_subscriptions(streams=[{"name": "private-channel"}]))
        call(f"streams/{channel_id('private-channel')}", "PATCH", {"is_private": True})
        streams = [{"name": "private-channel"}]
        answer = ok(member.add_subscriptions(streams=streams, authorization_errors_fatal=False))
        self.assertEqual(answer["unauthorized"], ["private-channel"])
        refused(member.add_subscriptions(streams=streams, authorization_errors_fatal=True))

    def test_topics_are_muted_listed_and_deleted(self):
        post(topic="boat party")
        for op in ("add", "remove"):
            ok(owner.mute_topic({"stream": "Denmark", "topic": "boat party", "op": op}))
        for policy in (1, 0):
            request = {"stream_id": channel_id(), "topic": "dinner", "visibility_policy": policy}
            call("user_topics", "POST", request)
        self.assertIn("boat party", [topic["name"] for topic in ok(owner.get_stream_topics(channel_id()))["topics"]])
        call(f"/streams/{channel_id()}/delete_topic", "POST", {"topic_name": "boat party"})

    def test_subscriptions_have_settings(self):
        subscription = ok(owner.get_subscriptions())["subscriptions"][0]["stream_id"]
        pin = {"stream_id": subscription, "property": "pin_to_top", "value": True}
        color = {"stream_id": subscription, "property": "color", "value": "#f00f00"}
        ok(owner.update_subscription_settings([pin, color]))
        ok(owner.add_default_stream(channel_id()))
        call("/default_streams", "DELETE", {"stream_id": channel_id()})


class Organization(unittest.TestCase):
    def test_linkifiers_playgrounds_and_emoji(self):
        linkifier = {"pattern": "#(?P<id>[0-9]+)", "url_template": "https://tracker.example/{id}"}
        number = call("/realm/filters", "POST", linkifier)["id"]
        call(f"/realm/filters/{number}", "PATCH", linkifier)
        order = [one["id"] for one in call("/realm/linkifiers")["linkifiers"]][::-1]
        call("/realm/linkifiers", "PATCH", {"ordered_linkifier_ids": json.dumps(order)})
        ok(owner.remove_realm_filter(number))
        playground = {"name": "Python playground", "pygments_language": "Python"}
        added = call("/realm/playgrounds", "POST", {**playground, "url_template": "https://python.example?code={code}"})
        call(f"/realm/playgrounds/{added['id']}", "DELETE")
        call("realm/emoji/my_custom_emoji", "POST", files=[picture("dot.gif")])
        ok(owner.get_realm_emoji())
        call("realm/emoji/my_custom_emoji", "DELETE")

    def test_files_are_uploaded_shared_and_deleted(self):
        url = ok(owner.upload_file(picture("castle.gif")))["url"]
        self.assertRegex(url, r"^/user_uploads/\d+/[^/]+/castle\.gif$")
        post(f"Check out [this picture]({url}) of my castle!")
        call(url.replace("/user_uploads", "user_uploads", 1))
        attachment = ok(owner.get_attachments())["attachments"][0]["id"]
        call("attachments/" + str(attachment), "DELETE")

    def test_invitations(self):
        streams = [one["stream_id"] for one in ok(owner.get_subscriptions())["subscriptions"]][:3]
        request = {"invite_expires_in_minutes": 60 * 24 * 10, "invite_as": 400, "stream_ids": streams}
        addresses = "first@example.com, second@example.com"
        call("/invites", "POST", {**request, "invitee_emails": addresses})
        link = call("/invites/multiuse", "POST", {})["invite_link"]
        invites = call("/invites")["invites"]
        [reusable] = [one["id"] for one in invites if one["is_multiuse"] and one["link_url"] == link]
        first, second = [one["id"] for one in invites if not one["is_multiuse"]][:2]
        call(f"/invites/{first}/resend", "POST")
        call(f"/invites/{second}", "DELETE")
        call(f"/invites/multiuse/{reusable}", "DELETE")

    def test_server_and_exports(self):
        ok(owner.get_server_settings())
        call("/export/realm", "POST")
        call("/export/realm")
        call("/export/realm/consents")
        call("/realm/test_welcome_bot_custom_message", "POST", {"welcome_message_custom_text": "Welcome"})


class Events(unittest.TestCase):
    def test_a_queue_is_registered_read_and_deleted(self):
        ok(owner.register())
        queue = ok(owner.register(event_types=["message", "realm_emoji"]))["queue_id"]
        sent = post(f"at {time.time()}")
        [event] = ok(owner.get_events(queue_id=queue, last_event_id=-1))["events"]
        self.assertEqual(event["message"]["id"], sent)
        ok(owner.deregister(queue))
        refused(owner.deregister(queue), "BAD_EVENT_QUEUE_ID")


if __name__ == "__main__":
    unittest.main()
