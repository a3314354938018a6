"""A bot of the bots framework: it repeats what it is told, and counts how often it was told something."""

from zulip_bots.lib import use_storage


class EchoHandler:
    META = {"name": "Echo", "description": "Repeats what it is told."}

    def usage(self):
        return "Mention it, or write to it directly."

    def initialize(self, bot_handler):
        # A new bot has stored nothing yet, and asking for what there is not is an error.
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
