"""A bot of the bots framework. It replies with the text of each message, and with the number of messages so far."""

from zulip_bots.lib import use_storage


class EchoHandler:
    META = {"name": "Echo", "description": "Repeats each message."}

    def usage(self):
        return "Mention the bot, or send it a direct message."

    def initialize(self, bot_handler):
        # A new bot has no stored values, and reading a missing value is an error.
        try:
            bot_handler.storage.get("count")
        except KeyError:
            bot_handler.storage.put("count", 0)

    def handle_message(self, message, bot_handler):
        with use_storage(bot_handler.storage, ["count"]) as storage:
            storage.put("count", storage.get("count") + 1)
            bot_handler.send_reply(message, f"{storage.get('count')}: {message['content']}")
        bot_handler.react(message, "wave")


handler_class = EchoHandler
