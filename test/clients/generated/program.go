// Uses the client that oapi-codegen has generated: registers, sends a message, and reads its event.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
)

func check(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func main() {
	ctx := context.Background()
	authorize := WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.SetBasicAuth(os.Getenv("EMAIL"), os.Getenv("KEY"))
		return nil
	})
	client, err := NewClientWithResponses(os.Getenv("SITE")+"/api/v1", authorize)
	check(err)

	everything, err := client.RegisterWithResponse(ctx, RegisterBody{})
	check(err)
	fmt.Println((*everything.JSON200.RealmUsers)[0].FullName)

	queue, err := client.RegisterWithResponse(ctx, RegisterBody{
		EventTypes:      &[]string{"message"},
		FetchEventTypes: &[]string{},
	})
	check(err)
	to, topic := "general", "generated"
	sent, err := client.SendMessageWithResponse(ctx, SendMessageBody{
		Type: "channel", To: &to, Topic: &topic, Content: "From Go",
	})
	check(err)

	last := *queue.JSON200.LastEventId
	for {
		answer, err := client.GetEventsWithResponse(ctx, &GetEventsParams{QueueId: queue.JSON200.QueueId, LastEventId: &last})
		check(err)
		for _, event := range answer.JSON200.Events {
			last = event.Id
			if event.Type == "message" && event.Message.Id == sent.JSON200.Id {
				fmt.Println(event.Message.Content)
				return
			}
		}
	}
}
