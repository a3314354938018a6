// What the Zulip bridge of matterbridge does with its library: it registers, sends a message, and prints the messages
// that it receives, until one says "bye".
package main

import (
	"fmt"
	"os"

	gzb "github.com/matterbridge/gozulipbot"
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	bot := gzb.Bot{
		APIKey:    os.Getenv("KEY"),
		APIURL:    os.Getenv("SITE") + "/api/v1/",
		Email:     os.Getenv("EMAIL"),
		UserAgent: "matterbridge/1.26.0",
	}
	bot.Init()
	queue, err := bot.RegisterAll()
	must(err)
	answer, err := bot.Message(gzb.Message{Stream: "bridge", Topic: "both ways", Content: "Hello from elsewhere"})
	must(err)
	must(answer.Body.Close())
	for {
		messages, err := queue.GetEvents()
		must(err)
		for _, message := range messages {
			fmt.Printf("%s: %s\n", message.SenderEmail, message.Content)
			if message.Content == "bye" {
				return
			}
		}
	}
}
